// Clients of other frameworks call Parley's agent, and Parley's client calls agents of other frameworks. Prints one table.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@parley/a2a/client';
import { listen } from '@parley/a2a/node';
import { CASES, CHECKS } from './cases.mjs';
import { createInteropAgent } from './our-agent.mjs';
import { OUR_CLIENT } from './our-client-cases.mjs';
import { PEERS } from './peers.mjs';
import { runClient, startAgent, versionOf } from './programs.mjs';
import { report } from './report.mjs';

/** @typedef {import('./cases.mjs').CaseName} CaseName */
/** @typedef {{ ok: true } | { error: Error } | { gap: string }} Outcome */
/** @typedef {{ peer: string, protocol: string, direction: string, outcomes: Outcome[] }} Row */

const CASE_LIMIT_MS = 20_000;

/** @returns {Promise<number>} number of failed cases */
export function frameworks() {
  return inHome(async (home) => {
    const ours = await listen(createInteropAgent(), { port: 0 });
    const rows = await theirClients(PEERS, { home, url: ours.url, direction: 'calls Parley' }).finally(() => ours.close({ drainMs: 0 }));
    return report([...rows, ...(await theirAgents(home))]);
  });
}

/**
 * The clients against an agent of @a2a-js/sdk 0.3: tells a mistake in the programs from a defect of Parley.
 * @returns {Promise<number>} number of failed cases
 */
export function selfCheck() {
  return inHome(async (home) => {
    const { url, stop } = await startAgent('agents/sdk.mjs', home);
    const peers = PEERS.filter(({ protocol }) => !protocol.startsWith('1.0'));
    return report(await theirClients(peers, { home, url, direction: `calls @a2a-js/sdk ${versionOf('@a2a-js/sdk')}` }).finally(stop));
  });
}

/**
 * @template T
 * @param {(home: string) => Promise<T>} run `home`: a folder for the files that a framework writes
 */
async function inHome(run) {
  const home = await mkdtemp(join(tmpdir(), 'parley-interop-'));
  try {
    return await run(home);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/**
 * @param {readonly import('./peers.mjs').Peer[]} peers
 * @param {{ home: string, url: string, direction: string }} agent
 */
async function theirClients(peers, { home, url, direction }) {
  /** @type {Row[]} */
  const rows = [];
  for (const { package: name, protocol, client } of peers) {
    if (client === undefined) continue;
    const run = async (/** @type {CaseName} */ one) =>
      CHECKS[one](await runClient(client, { url, name: one, home, withinMs: CASE_LIMIT_MS }));
    // Each case is a process of its own, which mostly loads the framework.
    const outcomes = await runCases(client.gaps, run, { workers: 2 });
    rows.push({ peer: `${name} ${versionOf(name)}`, protocol, direction, outcomes });
  }
  return rows;
}

/** @param {string} home */
async function theirAgents(home) {
  /** @type {Row[]} */
  const rows = [];
  for (const { package: name, protocol, agent } of PEERS) {
    if (agent === undefined) continue;
    const starting = startAgent(agent.program, home);
    starting.catch(() => {}); // reported by each case
    // One case after the other: the executor of ADK shares the ids of artifacts between the calls that it serves.
    const outcomes = await runCases(agent.gaps, async (one) => {
      const { url, card } = await starting;
      const client = createClient(url, { ...(card !== undefined && { cardPath: card }), ...agent.options });
      try {
        await inTime(OUR_CLIENT[one](client, agent));
      } finally {
        await client.close();
      }
    });
    await starting.then(({ stop }) => stop()).catch(() => {});
    rows.push({ peer: `${name} ${versionOf(name)}`, protocol, direction: 'called by Parley', outcomes });
  }
  return rows;
}

/**
 * Runs all cases of a peer.
 * @param {import('./peers.mjs').Gaps} gaps
 * @param {(name: CaseName) => Promise<void>} run
 * @param {{ workers?: number }} [options] `workers`: how many cases run at the same time
 */
async function runCases(gaps, run, { workers = 1 } = {}) {
  /** @type {Outcome[]} */
  const outcomes = [];
  const waiting = CASES.entries();
  const work = async () => {
    for (const [index, name] of waiting) {
      const gap = gaps[name];
      outcomes[index] = gap === undefined ? await attempt(run(name)) : { gap };
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return outcomes;
}

/**
 * @param {Promise<void>} running
 * @returns {Promise<Outcome>}
 */
async function attempt(running) {
  try {
    await running;
    return { ok: true };
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }
}

/** @param {Promise<void>} running */
async function inTime(running) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`the case did not end within ${CASE_LIMIT_MS} ms`)), CASE_LIMIT_MS);
  });
  try {
    await Promise.race([running, late]);
  } finally {
    clearTimeout(timer);
  }
}
