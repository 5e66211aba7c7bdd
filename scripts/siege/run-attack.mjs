// One case: a server with one store, a caller that is first alone, then two attackers beside it.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Caller } from './caller.mjs';
import { Attacker, ServerUnderSiege } from './children.mjs';
import { latencyOf } from './judge.mjs';

/** @typedef {import('./options.mjs').Store} Store */
/** @typedef {import('./attacks.mjs').AttackRow} AttackRow */

/**
 * @typedef {object} Place
 * @property {Store} store
 * @property {string} folder for files
 * @property {string} url of PostgreSQL; '' without
 * @property {AbortSignal} signal
 */

const WARM_MS = 700;
/** Preparations of attackers, such as a large task. */
const MOST_PREPARATION_MS = 30_000;
/** Within this time after an attack, all tasks of the caller must have ended. */
const FINISH_MS = 20_000;
const TOKENS = ['mallory', undefined];

/**
 * @param {{ name: string, attack: AttackRow }} what
 * @param {Place} place
 * @param {{ seconds: number, aloneMs: number }} size
 * @returns {Promise<import('./judge.mjs').Outcome>}
 */
export async function runAttack({ name, attack }, place, size) {
  const attackMs = Math.max(size.seconds, attack.seconds ?? 0) * 1_000;
  const servers = await startServers(place, attack.options ?? {});
  const caller = new Caller(servers.map(({ port }) => port));
  /** @type {Attacker[]} */
  let attackers = [];
  try {
    caller.start(WARM_MS + size.aloneMs + attackMs);
    await wait(WARM_MS, place);
    caller.phase = 'alone';
    await wait(size.aloneMs, place);
    caller.phase = 'prepared';
    attackers = TOKENS.map((token) => startAttacker({ name, attack, token, servers, attackMs }));
    const died = Promise.race(servers.map(({ exited }) => exited));
    await Promise.race([Promise.all(attackers.map(({ ready }) => ready)), pause(MOST_PREPARATION_MS, undefined, { ref: false }), died]);
    caller.phase = 'attacked';
    await Promise.race([wait(attackMs, place), died]);
    await Promise.all(attackers.map((attacker) => attacker.stop()));
    const seen = await caller.finish(servers.some(({ death }) => death !== undefined) ? 1_000 : FINISH_MS);
    return toOutcome({ name, attack, place, servers, attackers, seen });
  } finally {
    await Promise.all([...attackers.map((attacker) => attacker.stop()), ...servers.map((server) => server.kill())]);
    await caller.finish(0);
  }
}

/**
 * Two nodes with PostgreSQL, otherwise one server.
 * @param {Place} place
 * @param {object} options
 */
export async function startServers({ store, folder, url }, options) {
  const schema = `siege_${crypto.randomUUID().replaceAll('-', '')}`;
  const config = { store, file: join(folder, `${schema}.db`), url, schema, options };
  const servers = Array.from({ length: store === 'postgres' ? 2 : 1 }, () => new ServerUnderSiege(config));
  try {
    await Promise.all(servers.map((server) => server.listening()));
    return servers;
  } catch (error) {
    await Promise.all(servers.map((server) => server.kill()));
    throw error;
  }
}

/** @param {{ name: string, attack: AttackRow, token: string | undefined, servers: readonly ServerUnderSiege[], attackMs: number }} how */
function startAttacker({ name, attack, token, servers, attackMs }) {
  return new Attacker({
    attack: name,
    ports: servers.map(({ port }) => port),
    ...(token !== undefined && { token }),
    connections: Math.ceil((attack.connections ?? TOKENS.length) / TOKENS.length),
    limitMs: MOST_PREPARATION_MS + attackMs + 10_000,
  });
}

/**
 * @param {{ name: string, attack: AttackRow, place: Place, servers: readonly ServerUnderSiege[], attackers: readonly Attacker[],
 *   seen: import('./caller.mjs').Seen }} parts
 * @returns {import('./judge.mjs').Outcome}
 */
function toOutcome({ name, attack, place, servers, attackers, seen }) {
  const { samples, ...counts } = seen;
  const death = servers.find((server) => server.death !== undefined)?.death;
  /** @type {Record<string, number>} */
  const tally = {};
  for (const attacker of attackers) for (const [what, n] of Object.entries(attacker.tally)) tally[what] = (tally[what] ?? 0) + n;
  return {
    name,
    title: attack.title,
    store: place.store,
    alone: latencyOf(samples.filter(({ phase }) => phase === 'alone')),
    attacked: latencyOf(samples.filter(({ phase }) => phase === 'attacked')),
    ...counts,
    peakRssMiB: Math.max(...servers.map(({ peakRssMiB }) => peakRssMiB)),
    ...(death !== undefined && { death }),
    haveAttacked: attackers.every(({ isReady }) => isReady),
    judgesLatency: attack.isBeyondTwo !== true,
    tally,
  };
}

/** @param {number} ms @param {{ signal: AbortSignal }} place */
function wait(ms, { signal }) {
  return pause(ms, undefined, { signal });
}
