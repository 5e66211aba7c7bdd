// The well-behaved caller beside the attackers: it sends, streams and replies all the time, and checks every event.
import { setTimeout as pause } from 'node:timers/promises';
import { framesOf, Http } from './http.mjs';
import { bodyOf } from './jobs.mjs';
import { Watch } from './watch.mjs';

/** @typedef {'warm-up' | 'alone' | 'prepared' | 'attacked'} Phase */
/** @typedef {{ phase: Phase, kind: 'unary' | 'first event' | 'reply', ms: number }} Sample */

/**
 * @typedef {object} Seen
 * @property {readonly Sample[]} samples
 * @property {number} tasks
 * @property {number} failed
 * @property {number} lost
 * @property {number} doubled
 * @property {readonly string[]} examples of failures
 */

const TOKEN = 'alice';
const SEND_EVERY_MS = 25;
/** More would show no other latency, and would themselves be an attack on a server that stalls. */
const MOST_SENDS = 64;
const STREAMS = 3;
const QUESTIONS = 2;
const REPLY_CHUNKS = 5;
const LONG_TASKS = 20;
const LONG_PAUSE_MS = 500;
const MOST_EXAMPLES = 5;

export class Caller {
  /** @type {Phase} */
  phase = 'warm-up';
  #http = new Http();
  #ports;
  #isOn = true;
  #next = 0;
  #sends = 0;
  /** @type {Set<Promise<void>>} */
  #open = new Set();
  /** @type {Sample[]} */
  #samples = [];
  #seen = { tasks: 0, failed: 0, lost: 0, doubled: 0, examples: /** @type {string[]} */ ([]) };

  /** @param {readonly number[]} ports of the nodes; the calls are spread over them */
  constructor(ports) {
    this.#ports = ports;
  }

  /** @param {number} longMs how long the long tasks run */
  start(longMs) {
    for (let n = 0; n < LONG_TASKS; n += 1) this.#keep(this.#stream(Math.ceil(longMs / LONG_PAUSE_MS), LONG_PAUSE_MS));
    for (let n = 0; n < STREAMS; n += 1) this.#keep(this.#again(() => this.#stream(12, 25)));
    for (let n = 0; n < QUESTIONS; n += 1) this.#keep(this.#again(() => this.#ask()));
    this.#keep(this.#sendSteadily());
  }

  /** Finishes what has begun. What is not finished within this time has failed. @param {number} limitMs @returns {Promise<Seen>} */
  async finish(limitMs) {
    this.#isOn = false;
    const limit = new AbortController();
    const late = pause(limitMs, undefined, { signal: limit.signal }).catch(() => {});
    await Promise.race([Promise.all(this.#open), late]);
    limit.abort();
    const unfinished = this.#open.size;
    this.#http.close();
    for (let n = 0; n < unfinished; n += 1) this.#fail(`not finished ${limitMs} ms after the attack`);
    return { ...this.#seen, samples: this.#samples };
  }

  /** Sends at a fixed rate, not after each answer: otherwise a server that stalls would have few slow calls. */
  async #sendSteadily() {
    for (let due = performance.now(); this.#isOn; due += SEND_EVERY_MS) {
      await pause(Math.max(0, due - performance.now()));
      if (this.#sends < MOST_SENDS) this.#keep(this.#send());
    }
  }

  async #send() {
    this.#sends += 1;
    const salt = this.#newSalt();
    await this.#try(async () => {
      const done = this.#clock('unary');
      const { status, text } = await this.#http.call({ ...this.#node(), path: '/message:send', body: bodyOf({ kind: 'echo', salt }) });
      if (status !== 200 || !text.includes(salt)) throw new Error(`HTTP ${status} to a send: ${text.slice(0, 300)}`);
      done();
    });
    this.#sends -= 1;
  }

  /**
   * @param {number} chunks
   * @param {number} pauseMs
   */
  async #stream(chunks, pauseMs) {
    const salt = this.#newSalt();
    await this.#try(async () => {
      const watch = new Watch(salt, chunks);
      const done = this.#clock('first event');
      for await (const frame of this.#frames(bodyOf({ kind: 'stream', salt, chunks, pauseMs }))) {
        done();
        watch.see(frame);
      }
      this.#note(watch);
    });
  }

  /** The stream of a send ends with a question. The reply goes through another node, if there is one, and opens the next stream. */
  async #ask() {
    const salt = this.#newSalt();
    await this.#try(async () => {
      const reply = `reply to ${salt}`;
      const watch = new Watch(reply, REPLY_CHUNKS);
      let taskId = '';
      for await (const frame of this.#frames(bodyOf({ kind: 'ask', salt, chunks: REPLY_CHUNKS, pauseMs: 10 }))) {
        watch.see(frame);
        taskId = frame.event.task?.id ?? taskId;
      }
      if (watch.state !== 'TASK_STATE_INPUT_REQUIRED') throw new Error(`no question: the stream ended as ${watch.state || 'nothing'}`);
      const done = this.#clock('reply');
      const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text: reply }], taskId };
      for await (const frame of this.#frames({ message })) {
        done();
        watch.see(frame);
      }
      this.#note(watch);
    });
  }

  /** @param {object} body */
  async *#frames(body) {
    const { status, chunks } = await this.#http.open({ ...this.#node(), path: '/message:stream', body });
    if (status === 200) return yield* framesOf(chunks);
    let text = '';
    for await (const chunk of chunks) text += chunk;
    throw new Error(`HTTP ${status} to a stream: ${text.slice(0, 300)}`);
  }

  /** @param {Watch} watch */
  #note(watch) {
    const { lost, doubled, failure } = watch.verdict();
    this.#seen.lost += lost;
    this.#seen.doubled += doubled;
    if (failure !== undefined) this.#fail(failure);
  }

  /** @param {() => Promise<void>} work */
  async #try(work) {
    this.#seen.tasks += 1;
    try {
      await work();
    } catch (error) {
      this.#fail(String(error));
    }
  }

  /** @param {string} words */
  #fail(words) {
    this.#seen.failed += 1;
    if (this.#seen.examples.length < MOST_EXAMPLES) this.#seen.examples.push(words);
  }

  /** @param {() => Promise<void>} work */
  async #again(work) {
    while (this.#isOn) {
      const before = this.#seen.failed;
      await work();
      await pause(this.#seen.failed === before ? 10 : 200); // a server that refuses must not be flooded by this caller
    }
  }

  /** @param {Promise<void>} work */
  #keep(work) {
    this.#open.add(work);
    void work.finally(() => this.#open.delete(work));
  }

  /** Returns a function that records the time since now, once. @param {Sample['kind']} kind */
  #clock(kind) {
    const { phase } = this;
    const start = performance.now();
    let isOver = false;
    return () => {
      if (!isOver) this.#samples.push({ phase, kind, ms: performance.now() - start });
      isOver = true;
    };
  }

  #node() {
    this.#next += 1;
    return { port: this.#ports[this.#next % this.#ports.length] ?? 0, token: TOKEN };
  }

  #newSalt() {
    return `${TOKEN}-${this.#seen.tasks}`;
  }
}
