// Reads the logs of all tasks directly from the store; the checks compare everything with them.
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { postgres } from '@parley/a2a/postgres';
import { applyEvent, createDraft } from '@parley/a2a/protocol';

/** @typedef {import('@parley/a2a/server/advanced').Entry} Entry */
/** @typedef {import('@parley/a2a/server').TaskStore} TaskStore */
/** @typedef {{ taskId: string, state: string, entries: readonly Entry[] }} Log */

const FINAL = ['TASK_STATE_COMPLETED', 'TASK_STATE_FAILED', 'TASK_STATE_CANCELED', 'TASK_STATE_REJECTED'];
const OPEN = /** @type {const} */ (['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING', 'TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_AUTH_REQUIRED']);
const EVERYBODY = { agent: '', tenant: '', owner: '' };
const PAGE = 200;

/** @param {string} state */
export function isFinal(state) {
  return FINAL.includes(state);
}

/**
 * Waits until all tasks have ended, at most `settleMs`, and reads them.
 * @param {string} url
 * @param {string} schema
 * @param {number} settleMs
 * @returns {Promise<Map<string, Log>>}
 */
export async function readLogs(url, schema, settleMs) {
  const store = postgres(url, { schema });
  try {
    for (const deadline = performance.now() + settleMs; performance.now() < deadline && (await isBusy(store)); ) await pause(200);
    return await readAll(store);
  } finally {
    await store.close();
  }
}

/** @param {TaskStore} store */
async function isBusy(store) {
  const pages = await Promise.all(OPEN.map((state) => store.list({ ...EVERYBODY, state, limit: 1, count: false })));
  return pages.some(({ tasks }) => tasks.length > 0);
}

/** @param {TaskStore} store */
async function readAll(store) {
  /** @type {Map<string, Log>} */
  const logs = new Map();
  /** @type {{ statusAt: number, id: string } | undefined} */
  let after;
  for (;;) {
    const { tasks, more } = await store.list({ ...EVERYBODY, limit: PAGE, count: false, withoutArtifacts: true, ...(after && { after }) });
    for (const { ref, head } of tasks) {
      const entries = await store.readAfter(ref, 0, Number.MAX_SAFE_INTEGER);
      logs.set(ref.id, { taskId: ref.id, state: head.state, entries: typeof entries === 'string' ? [] : entries });
      after = { statusAt: head.statusAt, id: ref.id };
    }
    if (!more || tasks.length === 0) return logs;
  }
}

/**
 * The task as of an entry, folded by the library's reducer; undefined before the first Task entry.
 * @param {Log} log
 * @param {number} [seq] default: the last
 */
export function foldLog({ entries }, seq = entries.length) {
  /** @type {import('@parley/a2a/protocol').TaskDraft | undefined} */
  let draft;
  for (draft of foldSteps({ entries: entries.slice(0, seq) }));
  return draft;
}

/**
 * Yields the same draft after each entry, changed by it.
 * @param {Pick<Log, 'entries'>} log
 * @returns {Generator<import('@parley/a2a/protocol').TaskDraft | undefined, void>}
 */
function* foldSteps({ entries }) {
  /** @type {import('@parley/a2a/protocol').TaskDraft | undefined} */
  let draft;
  for (const entry of entries) {
    const event = toEvent(entry);
    if (draft !== undefined && event !== undefined) applyEvent(draft, event, { lenient: true });
    else if (event?.kind === 'task') draft = createDraft(event.task);
    yield draft;
  }
}

/**
 * The first seq, starting at `from`, at which the task has this status and these artifacts.
 * @param {Log} log
 * @param {{ status: import('@parley/a2a').TaskStatus, artifacts: readonly import('@parley/a2a').Artifact[] }} task
 * @param {number} from
 */
export function placeOf(log, { status, artifacts }, from) {
  let seq = 0;
  for (const draft of foldSteps(log)) {
    seq += 1;
    if (seq < from || draft === undefined || draft.status.timestamp !== status.timestamp) continue; // a cheap test that excludes most positions
    if (lengthOf(draft.artifacts) !== lengthOf(artifacts)) continue;
    if (isDeepStrictEqual(draft.status, status) && isDeepStrictEqual(draft.artifacts, artifacts)) return seq;
  }
  return undefined;
}

/** @param {readonly import('@parley/a2a').Artifact[]} artifacts */
function lengthOf(artifacts) {
  return artifacts.flatMap(({ parts }) => parts).reduce((all, { text = '' }) => all + text.length, 0);
}

/**
 * @param {Entry} entry
 * @returns {import('@parley/a2a/protocol').TaskEvent | undefined}
 */
function toEvent({ kind, json }) {
  const { input, task, statusUpdate, artifactUpdate } = JSON.parse(json);
  if (kind === 'input') return { kind, message: input.request.message };
  if (kind === 'task') return { kind, task };
  if (kind === 'status') return { kind, update: statusUpdate };
  return kind === 'artifact' ? { kind, update: artifactUpdate } : undefined;
}
