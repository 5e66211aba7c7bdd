// Shared by the walkers: the server, the findings, and the records of all messages and readers.
import { Findings } from './findings.mjs';
import { TaskReader } from './task-reader.mjs';

/** @typedef {import('./jobs.mjs').Policy} Policy */
/** @typedef {import('./jobs.mjs').Job} Job */

/**
 * One message, however often it is sent: `body` and `key` stay the same. `accepted`: the server has responded. `reply`: the Message that it
 * returned.
 * @typedef {object} Send
 * @property {Policy} policy
 * @property {string} key also its message id
 * @property {object} body
 * @property {Job} [job] the request; absent in a reply to a question
 * @property {string} [taskId]
 * @property {string} [reply]
 * @property {boolean} accepted
 */

/**
 * One walk with one task, or without a task if the response is a Message. `answers` are the replies to its questions, in order.
 * @typedef {object} Story
 * @property {Policy} policy
 * @property {Job['kind']} kind
 * @property {Send[]} sends the first one creates the task
 * @property {string[]} answers
 * @property {boolean} [isUndisturbed] whether it ended before the first kill
 */

export class World {
  findings = new Findings();
  /** @type {Story[]} */
  stories = [];
  /** @type {TaskReader[]} */
  readers = [];
  /** Number of open questions. */
  waiting = 0;
  /** Number of sends repeated after a lost response. */
  repeats = 0;
  /** Whether more kills follow. Until they are over, walkers start again after each walk. */
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

  /** The kills start now. */
  begin() {
    this.isOn = true;
  }

  /** The last kill is over: walkers finish their current walk. */
  end() {
    this.isOn = false;
    this.#end();
  }

  /** Resolves at the next kill, or at once if there is none. */
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
