// F61: a node is killed, or its main thread hangs for good. The other node must own its tasks in time.
import { setTimeout as pause } from 'node:timers/promises';
import { Http } from './http.mjs';
import { bodyOf } from './jobs.mjs';
import { startServers } from './run-attack.mjs';

const TASKS = 10;
const LEASE_MS = 15_000;
/** Shorter than the default of 30 s, to save time. */
const STALL_MS = 10_000;
const GRACE_MS = 5_000;
const POLL_MS = 250;
const TOKEN = 'alice';

/** @typedef {import('./run-attack.mjs').Place} Place */
/** @typedef {import('./judge.mjs').TakeOver} TakeOver */

/** @type {Readonly<Record<string, { title: string, limitMs: number, options: object, take: (nodes: Nodes) => Promise<void> }>>} */
export const TAKE_OVERS = {
  'F61 killed': { title: 'a node is killed', limitMs: LEASE_MS + GRACE_MS, options: {}, take: ({ servers }) => servers[0].kill() },
  'F61 hung': {
    title: 'the main thread of a node hangs',
    limitMs: STALL_MS + LEASE_MS + GRACE_MS,
    options: { stallMs: STALL_MS },
    take: hang,
  },
};

/** @typedef {{ servers: [import('./children.mjs').ServerUnderSiege, import('./children.mjs').ServerUnderSiege], http: Http }} Nodes */

/**
 * @param {string} name
 * @param {Place} place
 * @returns {Promise<TakeOver>}
 */
export async function runTakeOver(name, place) {
  const { title, limitMs, options, take } = /** @type {typeof TAKE_OVERS[string]} */ (TAKE_OVERS[name]);
  const servers = /** @type {Nodes['servers']} */ (await startServers(place, options));
  const http = new Http();
  try {
    const ids = await Promise.all(Array.from({ length: TASKS }, () => startTask(http, servers[0].port)));
    const start = performance.now();
    await take({ servers, http });
    const isOver = await allEnded({ http, port: servers[1].port, ids, signal: place.signal, deadline: start + limitMs * 1.5 });
    return { name, title, limitMs, takeOverMs: isOver ? performance.now() - start : undefined };
  } finally {
    http.close();
    await Promise.all(servers.map((server) => server.kill()));
  }
}

/** Starts a run that never ends; returns its task. @param {Http} http @param {number} port @returns {Promise<string>} */
async function startTask(http, port) {
  const { text } = await http.call({
    port,
    token: TOKEN,
    path: '/message:send',
    body: bodyOf({ kind: 'hold' }, { returnImmediately: true }),
  });
  return JSON.parse(text).task.id;
}

/** @param {Nodes} nodes */
async function hang({ servers, http }) {
  const sent = http.call({
    port: servers[0].port,
    token: TOKEN,
    path: '/message:send',
    body: bodyOf({ kind: 'hang' }),
    timeoutMs: 600_000,
  });
  sent.catch(() => {}); // never answered
  await pause(100);
}

/**
 * With the default recovery, the new owner of a task sets it to FAILED.
 * @param {{ http: Http, port: number, ids: readonly string[], signal: AbortSignal, deadline: number }} how
 */
async function allEnded({ http, port, ids, signal, deadline }) {
  const left = new Set(ids);
  while (performance.now() < deadline) {
    for (const id of left) {
      const { text } = await http.call({ port, token: TOKEN, path: `/tasks/${id}?historyLength=0` });
      if (JSON.parse(text).status?.state === 'TASK_STATE_FAILED') left.delete(id);
    }
    if (left.size === 0) return true;
    await pause(POLL_MS, undefined, { signal });
  }
  return false;
}
