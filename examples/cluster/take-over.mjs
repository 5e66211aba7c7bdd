// Shows the purpose of the cluster: a node dies during an answer, and the client still gets the complete answer.
import assert from 'node:assert/strict';
import { createClient } from '@parley/a2a/client';

const COUNT = Array.from({ length: 20 }, (_, index) => `${index + 1} `).join('');

/**
 * Rejects if an event is missing, duplicated or out of order.
 * @param {import('./cluster.mjs').Cluster} cluster
 * @param {(line: string) => void} say
 */
export async function seeTakeOver({ url, nodes }, say) {
  const client = createClient(url);
  const run = client.run('Count, please');
  /** @type {number[]} */
  const pids = [];
  /** @type {number[]} */
  const seqs = [];
  let diedAt = 0;
  /** @type {import('./cluster.mjs').Node | undefined} */
  let dead;
  try {
    for await (const update of run) {
      if (update.kind === 'reconnect') say('Connection lost; the client reconnects to the next node.');
      if (update.kind === 'artifact') seqs.push(update.seq ?? 0);
      if (update.kind === 'state' && update.message) pids.push(report(update.message));
      if (update.kind === 'text' && diedAt === 0 && update.text.endsWith(' 5 ')) diedAt = kill(pids[0]);
    }
  } finally {
    await client.close();
  }
  const reply = await run.result;
  assert.equal(reply.text, COUNT, 'the complete answer, once');
  assert.equal(new Set(pids).size, 2, 'started by one process, finished by another');
  assert.deepEqual(
    seqs,
    [...new Set(seqs)].sort((a, b) => a - b),
    'each event once and in order',
  );
  say(`The answer is complete: ${reply.text.trim()}`);
  await seeOneTruth(reply.kind === 'task' ? reply.taskId : '');

  /** @param {import('@parley/a2a').Message} message */
  function report({ parts }) {
    const [{ text = '' } = {}] = parts;
    if (diedAt > 0) say(`The client sees the new process ${((Date.now() - diedAt) / 1_000).toFixed(1)} s after the kill.`);
    return Number(/\d+/.exec(text)?.[0]);
  }

  /** @param {number | undefined} pid */
  function kill(pid) {
    dead = nodes.find((node) => node.pid() === pid);
    assert.ok(dead, `process ${pid} is one of the nodes`);
    say(`At five, process ${pid} is killed.`);
    dead.kill();
    return Date.now();
  }

  /** @param {string} taskId */
  async function seeOneTruth(taskId) {
    await dead?.ready();
    const logs = await Promise.all(nodes.map((node) => readLog(node.url, taskId)));
    for (const log of logs) assert.equal(log, logs[0]);
    say('All nodes return the same log, including the restarted node.');
  }
}

/**
 * @param {string} url
 * @param {string} taskId
 */
async function readLog(url, taskId) {
  const response = await fetch(`${url}/tasks/${taskId}:subscribe`, { headers: { 'A2A-Version': '1.0', 'Last-Event-ID': '0' } });
  assert.equal(response.status, 200);
  return response.text();
}
