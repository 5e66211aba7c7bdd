// Opens tasks that stay open, and their readers: the set-up of the delivery workloads.
import { setTimeout as sleep } from 'node:timers/promises';
import { message } from '../load/client.mjs';
import { expect } from '../measure.mjs';
import { ARTIFACT, chunkText } from '../servers/script.mjs';

/** @typedef {import('../measure.mjs').Bench} Bench */
/** @typedef {import('../load/stream-reader.mjs').StreamReader} StreamReader */

const AT_ONCE = 20;
const PATIENCE_MS = 30_000;

/**
 * Creates tasks that stay open and have `chunks` chunks; returns their ids.
 * @param {Bench} bench
 * @param {number} count
 * @param {number} [chunks]
 */
export async function openTasks({ server, client }, count, chunks = 0) {
  const before = await server.held();
  const ids = await inParallel(count, async () => {
    const reply = await client.ask(client.rpc('SendMessage', message(`hold ${chunks}`, { returnImmediately: true })));
    return /** @type {string} */ (reply.task.id);
  });
  // A send that does not wait may return before the executor holds the task.
  const end = performance.now() + PATIENCE_MS;
  while ((await server.held()) < before + count) {
    if (performance.now() > end) throw new Error('the server does not hold all tasks');
    await sleep(5);
  }
  return ids;
}

/**
 * Opens one stream per task, and waits until each has received its first Task.
 * @param {Bench} bench
 * @param {readonly string[]} ids
 * @param {{ keep?: boolean }} [options]
 * @returns {Promise<StreamReader[]>}
 */
export async function follow({ client }, ids, options) {
  return inParallel(ids.length, async (index) => {
    const reader = client.stream(client.rpc('SubscribeToTask', { id: ids[index] }), options);
    await reader.reach(1);
    return reader;
  });
}

/**
 * Publishes one event, and checks that the reader gets the Task and that event.
 * @param {Bench} bench
 */
export async function checkDelivery(bench) {
  const { server } = bench;
  const from = await server.held();
  const ids = await openTasks(bench, 1, 2);
  const [reader] = await follow(bench, ids, { keep: true });
  await server.emit(1, 'burst', from);
  await reader?.reach(2);
  const [first, second] = reader?.results() ?? [];
  expect(first?.task?.id, ids[0], 'the task at the start of the stream');
  const text = first.task.artifacts?.[0]?.parts?.map((/** @type {{ text?: string }} */ part) => part.text).join('');
  expect(text, chunkText(0) + chunkText(1), 'the text of its artifact');
  expect(second?.artifactUpdate?.artifact?.artifactId, ARTIFACT, 'the artifact of the event');
  expect(second.artifactUpdate.artifact.parts?.[0]?.text, chunkText(0), 'the text of the event');
  expect(second.artifactUpdate.append, true, 'that the event appends');
  reader?.close();
}

/**
 * @template T
 * @param {number} count
 * @param {(index: number) => Promise<T>} make
 * @returns {Promise<T[]>}
 */
async function inParallel(count, make) {
  /** @type {T[]} */
  const made = new Array(count);
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < count; index = next++) made[index] = await make(index);
  };
  await Promise.all(Array.from({ length: Math.min(count, AT_ONCE) }, worker));
  return made;
}
