// Kills our server while it streams tasks, and restarts it on the same file and port.
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@parley/a2a/client';
import { ownPort } from '../own-port.mjs';
import { attempt } from './attempt.mjs';
import { normalise } from './judge.mjs';
import { ask, framesOf, seqOf, unwrap } from './raw.mjs';
import { ServerProcess } from './server-process.mjs';

/** @typedef {import('./cases.mjs').Case} Case */
/** @typedef {import('./cases.mjs').World} World */

const CALLERS = 6;
/**
 * A restart takes longer than a broken connection, so the client needs more attempts. @type {import('@parley/a2a/client').ClientOptions}
 */
const PATIENT = {
  reconnect: { maxRetries: 100, initialDelayMs: 50 },
  breaker: false,
  retry: { maxRetries: 100, initialDelayMs: 50, multiplier: 1 },
};
const JOB = /** @type {const} */ ({ pace: 25 });
/** Time from the moment when all callers have an event; an undisturbed run takes 1.25 s. */
const KILL_MS = { first: 50, step: 100 };

/**
 * @param {World} world
 * @param {import('./raw.mjs').Binding} binding
 * @returns {Case}
 */
export function killServers({ options }, binding) {
  const runs = Array.from({ length: options.kills }, (_, round) => {
    /** @type {Promise<import('./tally.mjs').Outcome[]> | undefined} */
    let killing;
    return Array.from({ length: CALLERS }, (_caller, caller) => async () => {
      killing ??= killOnce(binding, KILL_MS.first + round * KILL_MS.step);
      const outcome = (await killing)[caller];
      if (outcome === undefined) throw new Error('a caller is missing');
      return outcome;
    });
  });
  return { name: 'killed and restarted', peer: 'Parley', binding, atOnce: 1, runs: runs.flat() };
}

/**
 * @param {import('./raw.mjs').Binding} binding
 * @param {number} afterMs
 */
async function killOnce(binding, afterMs) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-faults-'));
  const clean = () => {
    void server.kill();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once('exit', clean); // if this process is stopped
  const server = new ServerProcess(new URL('our-server.mjs', import.meta.url), [join(folder, 'agent.db'), String(await ownPort())]);
  try {
    const url = await server.start();
    /** @type {Set<number>} */
    const begun = new Set();
    const everybody = new EventEmitter();
    const running = Array.from({ length: CALLERS }, (_, caller) =>
      attempt({
        at: `killed after ${afterMs} ms, caller ${caller}`,
        client: createClient(url, { prefer: binding, ...PATIENT }),
        job: JOB,
        truth: (taskId) => readLog({ fetch, url, binding }, taskId),
        happened: ({ reconnects }) => reconnects > 0,
        onUpdate: () => {
          if (begun.add(caller).size === CALLERS) everybody.emit('begun');
        },
      }),
    );
    await Promise.race([once(everybody, 'begun'), Promise.all(running)]);
    await pause(afterMs);
    await server.kill();
    await server.start();
    return await Promise.all(running);
  } finally {
    await server.kill();
    process.off('exit', clean);
    clean();
  }
}

/**
 * The final log, including all attempts of the run.
 * @param {import('./raw.mjs').Door} door
 * @param {string} id
 */
async function readLog(door, id) {
  const fromTheStart = (/** @type {Parameters<typeof fetch>} */ ...[input, init]) =>
    fetch(input, { ...init, headers: { ...init?.headers, 'Last-Event-ID': '0' } });
  const seqs = [];
  for await (const frame of framesOf(await ask({ ...door, fetch: fromTheStart }, 'SubscribeToTask', { id }))) {
    seqs.push(seqOf(frame));
  }
  return { seqs, final: normalise(unwrap(await (await ask(door, 'GetTask', { id })).text())) };
}
