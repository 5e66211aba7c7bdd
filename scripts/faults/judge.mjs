// Compares the updates that a caller saw with the expected ones. All counts must be zero.
import { isDeepStrictEqual } from 'node:util';
import { PARTS } from './job.mjs';

/** @typedef {import('./observe.mjs').Observation} Observation */

/**
 * The expected result: the seqs of the log, if the peer has them, and the task of an undisturbed run.
 * @typedef {object} Truth
 * @property {readonly number[]} [seqs]
 * @property {unknown} final task, normalised
 */

/** @typedef {{ lost: number, doubled: number, outOfOrder: number, wrongFinal: number }} Faults */
/** @typedef {Faults & { notes: string[] }} Verdict */

/**
 * @param {Observation} seen
 * @param {Truth} truth
 * @returns {Verdict}
 */
export function judge(seen, truth) {
  /** @type {Verdict} */
  const verdict = { lost: 0, doubled: 0, outOfOrder: 0, wrongFinal: 0, notes: [] };
  if (seen.error) {
    verdict.wrongFinal += 1;
    verdict.notes.push(`the run failed with ${seen.error.stack ?? seen.error}${seen.error.cause ? `\ncaused by ${seen.error.cause}` : ''}`);
    return verdict;
  }
  if (truth.seqs) judgeSeqs(seen, truth.seqs, verdict);
  judgeParts(seen, verdict);
  judgeEnd(seen, truth, verdict);
  return verdict;
}

/**
 * Checks by seq that every event came once, in order.
 * @param {Observation} seen
 * @param {readonly number[]} seqs
 * @param {Verdict} verdict
 */
function judgeSeqs(seen, seqs, verdict) {
  const got = seen.events.map(({ seq }) => seq ?? -1);
  compare(got, seqs, verdict, 'events');
}

/**
 * Checks that every part of every artifact came once, in order. A restarted artifact replaces its earlier parts.
 * @param {Observation} seen
 * @param {Verdict} verdict
 */
function judgeParts({ parts, deltas }, verdict) {
  /** @type {Map<string, string[]>} */
  const got = new Map();
  for (const { artifactId, text, anew } of parts) {
    if (anew || !got.has(artifactId)) got.set(artifactId, []);
    got.get(artifactId)?.push(text);
  }
  for (const artifactId of new Set([...PARTS.keys(), ...got.keys()])) {
    const [told, wanted] = [got.get(artifactId) ?? [], PARTS.get(artifactId) ?? []];
    // A snapshot joins the texts of many events in one part (D48). So compare the characters, not the split into parts.
    if (told.join('') !== wanted.join('')) compare(told, wanted, verdict, artifactId);
  }
  if (deltas === parts.map(({ text }) => text).join('')) return;
  verdict.wrongFinal += 1;
  verdict.notes.push('the text updates differ from the artifacts');
}

/**
 * @param {Observation} seen
 * @param {Truth} truth
 * @param {Verdict} verdict
 */
function judgeEnd({ task }, { final }, verdict) {
  const got = normalise(task);
  if (isDeepStrictEqual(got, final)) return;
  verdict.wrongFinal += 1;
  verdict.notes.push(`final task: ${differences(got, final).join('; ')}`);
}

/**
 * The paths at which two values differ.
 * @param {any} got
 * @param {any} want
 * @param {string} [path]
 * @returns {string[]}
 */
function differences(got, want, path = 'task') {
  if (isDeepStrictEqual(got, want)) return [];
  const isBoth = [got, want].every((value) => typeof value === 'object' && value !== null);
  if (!isBoth) return [`${path} is ${JSON.stringify(got)}, expected ${JSON.stringify(want)}`];
  return [...new Set([...Object.keys(got), ...Object.keys(want)])].flatMap((name) => differences(got[name], want[name], `${path}.${name}`));
}

/**
 * @template T
 * @param {readonly T[]} got
 * @param {readonly T[]} want
 * @param {Verdict} verdict
 * @param {string} what
 */
function compare(got, want, verdict, what) {
  if (isDeepStrictEqual(got, want)) return;
  const lost = surplus(want, got);
  const doubled = surplus(got, want);
  verdict.lost += lost;
  verdict.doubled += doubled;
  if (lost + doubled === 0) verdict.outOfOrder += got.filter((one, index) => one !== want[index]).length;
  verdict.notes.push(`${what}: ${got.join(' ')}\nexpected ${want.join(' ')}`);
}

/**
 * How many elements of `more` are not in `fewer`, as multisets.
 * @template T
 * @param {readonly T[]} more
 * @param {readonly T[]} fewer
 */
function surplus(more, fewer) {
  const left = [...fewer];
  let count = 0;
  for (const one of more) {
    const at = left.indexOf(one);
    if (at < 0) count += 1;
    else left.splice(at, 1);
  }
  return count;
}

const OWN = ['id', 'taskId', 'contextId', 'messageId', 'timestamp'];

/**
 * Removes the ids and times, which differ in each run, and joins adjacent texts: two agents may store the same text in one part or in many
 * (D48).
 * @param {unknown} value
 * @returns {unknown}
 */
export function normalise(value) {
  if (Array.isArray(value)) return joinTexts(value.map(normalise));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, OWN.includes(name) ? name : normalise(member)]));
}

/** @param {readonly unknown[]} values parts, or any other array */
function joinTexts(values) {
  /** @type {unknown[]} */
  const joined = [];
  for (const value of values) {
    const last = joined.at(-1);
    if (isText(last) && isText(value)) joined[joined.length - 1] = { text: last.text + value.text };
    else joined.push(value);
  }
  return joined;
}

/**
 * @param {unknown} value
 * @returns {value is { text: string }}
 */
function isText(value) {
  return typeof value === 'object' && value !== null && Object.keys(value).join() === 'text';
}
