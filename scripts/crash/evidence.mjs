// Reads every task and its log after the last kill: first over the wire, then from the files after the server has stopped.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sqlite } from '@parley/a2a/sqlite';
import { POLICIES } from './jobs.mjs';
import { linkedSignal } from './linked-signal.mjs';
import { TaskReader } from './task-reader.mjs';
import { call, stream } from './wire.mjs';

/** @typedef {import('./jobs.mjs').Policy} Policy */
/** @typedef {import('./server-process.mjs').ServerProcess} ServerProcess */
/** @typedef {{ server: ServerProcess, signal: AbortSignal }} From */
/** @typedef {import('@parley/a2a/server/advanced').Entry} Entry */

/**
 * `log` is the response to `Last-Event-ID: 0`, `entries` is everything stored.
 * @typedef {{ policy: Policy, task: any, log: ReadonlyMap<number, string>, entries: readonly Entry[] }} Evidence
 */

/** @typedef {{ policy: Policy, boot: number, taskId: string, messageId: string, attempt: number }} Entered */

const QUIET_MS = 30_000;
const PAGE = 100;
const AT_ONCE = 16;

/**
 * Waits until no task is running and returns all tasks by id. Tasks that do not end in time are included.
 * @param {ServerProcess} server
 * @param {AbortSignal} signal
 * @returns {Promise<Map<string, Evidence>>}
 */
export async function readOverWire(server, signal) {
  const from = { server, signal };
  const deadline = performance.now() + QUIET_MS;
  for (;;) {
    const tasks = (await Promise.all(POLICIES.map((policy) => listTasks(from, policy)))).flat();
    const busy = tasks.some(({ task }) => isAtWork(task));
    if (!busy || performance.now() > deadline) return readLogs(from, tasks);
    await pause(200);
  }
}

/** Whether a node must be running this task. */
export function isAtWork(/** @type {any} */ task) {
  return ['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING'].includes(task.status.state);
}

/**
 * @param {From} from
 * @param {Policy} policy
 */
async function listTasks({ server, signal }, policy) {
  const url = await server.url(policy);
  const tasks = [];
  for (let token = ''; ; ) {
    const query = new URLSearchParams({ pageSize: String(PAGE), includeArtifacts: 'true', ...(token && { pageToken: token }) });
    const page = await call(`${url}/tasks?${query}`, { signal });
    for (const task of page.tasks ?? []) tasks.push({ policy, task });
    token = page.nextPageToken ?? '';
    if (token === '') return tasks;
  }
}

/**
 * @param {From} from
 * @param {{ policy: Policy, task: any }[]} tasks
 */
async function readLogs(from, tasks) {
  /** @type {Map<string, Evidence>} */
  const evidence = new Map();
  const queue = [...tasks];
  const worker = async () => {
    for (let next = queue.pop(); next; next = queue.pop()) {
      evidence.set(next.task.id, { ...next, log: await readLog(from, next.policy, next.task), entries: [] });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return evidence;
}

/**
 * The whole log as a caller reads it. For a task that has not ended, the log up to now.
 * @param {From} from
 * @param {Policy} policy
 * @param {any} task
 */
async function readLog({ server, signal }, policy, task) {
  const reader = new TaskReader(policy, task.id);
  const url = `${await server.url(policy)}/tasks/${task.id}:subscribe`;
  const ends = ['TASK_STATE_COMPLETED', 'TASK_STATE_FAILED'].includes(task.status.state);
  const limited = linkedSignal(signal, ends ? undefined : 500);
  try {
    for await (const frame of stream(url, { headers: { 'Last-Event-ID': '0' }, signal: limited.signal })) reader.see(frame);
  } catch (error) {
    if (ends) throw error;
  } finally {
    limited.release();
  }
  return reader.seen;
}

/**
 * Adds the stored entries. The server must have stopped.
 * @param {string} folder
 * @param {Map<string, Evidence>} evidence
 */
export async function readFiles(folder, evidence) {
  for (const policy of POLICIES) {
    const store = sqlite(join(folder, `${policy}.db`));
    try {
      const { tasks } = await store.list({ agent: '', tenant: '', owner: '', limit: Number.MAX_SAFE_INTEGER, count: false });
      for (const { ref } of tasks) {
        const entries = await store.readAfter(ref, 0, Number.MAX_SAFE_INTEGER);
        const known = evidence.get(ref.id);
        if (known && typeof entries === 'object') evidence.set(ref.id, { ...known, entries });
      }
    } finally {
      await store.close();
    }
  }
}

/**
 * The records of the executors.
 * @param {string} folder
 * @returns {Entered[]}
 */
export function readEntered(folder) {
  const lines = readFileSync(join(folder, 'entered.jsonl'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}
