// One caller that does one walk after another. Its choices follow from the seed and its name.
import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '@parley/a2a/testing';
import { WALKS } from './walks.mjs';

/** @typedef {import('./world.mjs').Send} Send */
/** @typedef {import('./world.mjs').Story} Story */
/** @typedef {import('./jobs.mjs').Job} Job */

export class Walker {
  world;
  kind;
  policy;
  #name;
  #random;
  #said = 0;

  /**
   * @param {import('./world.mjs').World} world
   * @param {{ kind: Job['kind'], policy: import('./jobs.mjs').Policy, name: string, seed: number }} who
   */
  constructor(world, { kind, policy, name, seed }) {
    this.world = world;
    this.kind = kind;
    this.policy = policy;
    this.#name = name;
    this.#random = seededRandom(seed);
  }

  /** Walks until the kills are over, then finishes the last walk. Never rejects. */
  async run() {
    const { world } = this;
    await this.pause(200); // spread the starts
    while (world.isOn && !world.signal.aborted) await this.walk();
  }

  /** One walk. */
  async walk() {
    const { findings, signal } = this.world;
    try {
      await WALKS[this.kind](this);
    } catch (error) {
      if (!signal.aborted) findings.add('unexpected refusals and failures', `${this.#name}: ${error}`);
    }
  }

  /** @returns {Story} */
  begin() {
    /** @type {Story} */
    const story = { policy: this.policy, kind: this.kind, sends: [], answers: [] };
    this.world.stories.push(story);
    return story;
  }

  /**
   * Adds a message to a story, without sending it.
   * @param {Story} story
   * @param {{ text: string, job?: Job, taskId?: string, returnImmediately?: boolean }} what
   * @returns {Send}
   */
  say(story, { text, job, taskId, returnImmediately = false }) {
    const key = this.newName();
    const message = { messageId: key, role: 'ROLE_USER', parts: [{ text }], ...(taskId !== undefined && { taskId }) };
    const body = { message, configuration: { returnImmediately } };
    const send = { policy: this.policy, key, body, accepted: false, ...(job && { job }), ...(taskId !== undefined && { taskId }) };
    story.sends.push(send);
    return send;
  }

  newName() {
    this.#said += 1;
    return `${this.#name}-${this.#said}`;
  }

  /** @returns {import('./jobs.mjs').Work} */
  work() {
    return { salt: this.newName(), chunks: this.below(22) + 8, pauseMs: this.below(50) + 10 };
  }

  below(/** @type {number} */ most) {
    return Math.floor(this.#random() * most);
  }

  chance(/** @type {number} */ share) {
    return this.#random() < share;
  }

  async pause(/** @type {number} */ mostMs) {
    await pause(this.below(mostMs), undefined, { signal: this.world.signal });
  }
}
