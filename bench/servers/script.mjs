// The agent of every contestant. The text of a message is a command, so one server process can serve every workload, and parsing the text
// costs every contestant the same.

export const REPLY = 'A short answer, as an agent would give it to a simple question.';
export const ARTIFACT = 'answer';

/** @typedef {'message' | 'task' | 'turns' | 'burst' | 'history' | 'hold' | 'raw-task' | 'raw-turns'} AskKind */

/**
 * A task that stays open until the process ends; the load generator tells it when to publish.
 * @typedef {object} Held
 * @property {(text: string) => Promise<void> | void} chunk publishes one more chunk of the artifact
 */

/**
 * The result that a contestant returns to the process that runs it.
 * @typedef {object} Served
 * @property {number} port
 * @property {string} jsonRpcPath
 * @property {string} restPath
 * @property {Held[]} held the open tasks in order of creation
 * @property {(count: number, order: 'in-order' | 'shuffled') => Promise<void>} seed fills the store with completed tasks
 */

/**
 * `turns 1000`: 1,000 chunks, one per event-loop iteration. `burst 1000`: the same without a pause. `history 100`: a completed task with
 * that many messages. `hold 100`: an open task that has 100 chunks. `raw-task` and `raw-turns 1000`: the
 * events of `task` and of `turns 1000`, published as raw events; only Parley, which also has helpers for them, serves these two.
 * @param {string} text
 * @returns {{ kind: AskKind, count: number }}
 */
export function readAsk(text) {
  const space = text.indexOf(' ');
  if (space < 0) return { kind: /** @type {AskKind} */ (text), count: 0 };
  return { kind: /** @type {AskKind} */ (text.slice(0, space)), count: Number(text.slice(space + 1)) };
}

/**
 * About as much text as a language model emits at once.
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
 * One chunk per event-loop iteration. Uses callbacks, because a promise per iteration would count as server cost.
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
 * All chunks without a pause, awaiting nothing.
 * @param {number} count
 * @param {(text: string) => Promise<void> | void} chunk
 */
export function atOnce(count, chunk) {
  for (let index = 0; index < count; index += 1) void chunk(chunkText(index));
}

const SEED_TIME = Date.UTC(2026, 0, 1);

/**
 * The status time of the n-th seeded task. `shuffled` uses a step that visits every number once: the order is random for the store, but the
 * same in every run.
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
