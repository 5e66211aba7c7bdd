// What the walkers share: the server, the findings, and a ledger of everything that was said and heard.
import { Findings } from './findings.mjs';
import { TaskReader } from './task-reader.mjs';

/** @typedef {import('./jobs.mjs').Policy} Policy */
/** @typedef {import('./jobs.mjs').Job} Job */

/**
 * One message, however often it was sent: `body` and `key` are the same each time. `accepted` when the server has answered it;
 * `reply` is the Message that it was answered with.
 * @typedef {object} Send
 * @property {Policy} policy
 * @property {string} key also its message id
 * @property {object} body
 * @property {Job} [job] what it asks for; absent in the answer to a question
 * @property {string} [taskId]
 * @property {string} [reply]
 * @property {boolean} accepted
 */

/**
 * What one walk did to one task, or to none when its answer is a Message. `answers` are those to its questions, in order.
 * @typedef {object} Story
 * @property {Policy} policy
 * @property {Job['kind']} kind
 * @property {Send[]} sends the first one makes the task
 * @property {string[]} answers
 * @property {boolean} [isUndisturbed] it was over before the first kill
 */

export class World {
  findings = new Findings();
  /** @type {Story[]} */
  stories = [];
  /** @type {TaskReader[]} */
  readers = [];
  /** Questions that wait for their answer now. */
  waiting = 0;
  /** Sends that were repeated because their answer was lost. */
  repeats = 0;
  /** Whether there are kills to come: as long walkers begin anew when they are through. */
  isOn = false;
  server;
  signal;
  /** @type {() => void} */
  #end = () => {};
  /** @type {Promise<void>} */
  #over = new Promise((resolve) => {
    this.#end = resolve;
  });

  /**
   * @param {import('./server-process.mjs').ServerProcess} server
   * @param {AbortSignal} signal aborts when time is up
   */
  constructor(server, signal) {
    this.server = server;
    this.signal = signal;
  }

  /** From now on the server is killed. */
  begin() {
    this.isOn = true;
  }

  /** The last kill is over: walkers finish what they are at. */
  end() {
    this.isOn = false;
    this.#end();
  }

  /** The next kill; or now, when there is none to come. */
  async nextKill() {
    if (this.isOn) await Promise.race([this.server.killed, this.#over]);
  }

  /**
   * @param {Policy} policy
   * @param {string} [taskId]
   * @param {(status: any) => void} [onStatus]
   */
  reader(policy, taskId, onStatus) {
    const reader = new TaskReader(policy, taskId, onStatus);
    this.readers.push(reader);
    return reader;
  }

  get openStreams() {
    return this.readers.filter(({ isOpen }) => isOpen).length;
  }
}
