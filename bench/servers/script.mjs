// The agent that every contestant runs. The text of a message says what it wants, so one server process can be asked for anything,
// and reading the text costs every contestant the same.

export const REPLY = 'A short answer, as an agent would give it to a simple question.';
export const ARTIFACT = 'answer';

/** @typedef {'message' | 'task' | 'turns' | 'burst' | 'history' | 'hold'} AskKind */

/**
 * A task that stays open until the process ends; the load generator tells it to speak.
 * @typedef {object} Held
 * @property {(text: string) => Promise<void> | void} chunk publishes one more chunk of the artifact
 */

/**
 * What a contestant gives to the process that runs it.
 * @typedef {object} Served
 * @property {number} port
 * @property {string} jsonRpcPath
 * @property {string} restPath
 * @property {Held[]} held the open tasks in order of creation
 * @property {(count: number, order: 'in-order' | 'shuffled') => Promise<void>} seed fills the store with completed tasks
 */

/**
 * `turns 1000` is 1,000 chunks, one per turn of the event loop; `burst 1000` the same in one go; `history 100` a completed task with
 * that many messages; `hold 100` an open task that has 100 chunks.
 * @param {string} text
 * @returns {{ kind: AskKind, count: number }}
 */
export function readAsk(text) {
  const space = text.indexOf(' ');
  if (space < 0) return { kind: /** @type {AskKind} */ (text), count: 0 };
  return { kind: /** @type {AskKind} */ (text.slice(0, space)), count: Number(text.slice(space + 1)) };
}

/**
 * About as much as a language model says at once.
 * @param {number} index
 */
export function chunkText(index) {
  return `piece ${index} of the answer, `;
}

/** @param {number} index */
export function historyText(index) {
  return `Message ${index} of a long conversation, with as many words as people write.`;
}

/**
 * One chunk per turn of the event loop. By callbacks, because a promise per turn would be counted as cost of the server.
 * @param {number} count
 * @param {(text: string) => Promise<void> | void} chunk
 * @returns {Promise<void>}
 */
export function inTurns(count, chunk) {
  return new Promise((resolve, reject) => {
    let index = 0;
    const next = () => {
      if (index === count) resolve();
      else setImmediate(step);
    };
    const step = () => {
      const accepted = chunk(chunkText(index));
      index += 1;
      if (accepted) accepted.then(next, reject);
      else next();
    };
    next();
  });
}

/**
 * All chunks in one go, awaiting nothing.
 * @param {number} count
 * @param {(text: string) => Promise<void> | void} chunk
 */
export function atOnce(count, chunk) {
  for (let index = 0; index < count; index += 1) void chunk(chunkText(index));
}

const SEED_TIME = Date.UTC(2026, 0, 1);

/**
 * When the n-th seeded task got its status. Shuffled: by a step that visits every number once, so the store meets no order that it
 * could follow, and every run meets the same one.
 * @param {number} n
 * @param {number} count
 * @param {'in-order' | 'shuffled'} order
 */
export function seedTime(n, count, order) {
  const place = order === 'shuffled' ? (n * 61_843) % count : n;
  return SEED_TIME + place * 1_000;
}

/** @param {number} n */
export function seedId(n) {
  return `seeded-task-${String(n).padStart(8, '0')}`;
}
