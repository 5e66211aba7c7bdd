// The table of attacks. Each uses only requests that the server allows, or that look so until it has read them.

/** @typedef {import('./attacker-process.mjs').Siege} Siege */

/**
 * @typedef {object} AttackRow
 * @property {string} row of the list of defects, for `--only`
 * @property {string} title
 * @property {() => Promise<(siege: Siege) => Promise<void>>} load
 * @property {number} [connections] of both attackers together, where the attack has several
 * @property {number} [seconds] if the attack needs longer than the others
 * @property {readonly ('memory' | 'sqlite' | 'postgres')[]} [stores] default all
 * @property {boolean} [isBeyondTwo] more than two attackers' worth of load: latency is reported, not judged
 * @property {object} [options] of createAgent
 */

const STRUCTURED = () => import('./attacks/structured-bodies.mjs').then(({ attack }) => attack);
/** Longer than a lease (15 s). */
const LEASE_SECONDS = 22;

/** @type {Readonly<Record<string, AttackRow>>} */
export const ATTACKS = {
  F60: {
    row: 'F60',
    title: 'pipelined reads of a large task, answers never read',
    load: () => import('./attacks/pipelined-reads.mjs').then(({ attack }) => attack),
  },
  'F61 × 16': { row: 'F61', title: 'large nested bodies on 16 connections', load: STRUCTURED, ...manyConnections(16) },
  'F61 × 40': { row: 'F61', title: 'the same on 40', load: STRUCTURED, ...manyConnections(40) },
  'F61 × 100': { row: 'F61', title: 'the same on 100', load: STRUCTURED, ...manyConnections(100) },
  F62: { row: 'F62', title: 'large structured bodies on two connections', load: STRUCTURED, connections: 2 },
  'F63 reads': {
    row: 'F63',
    title: '40 reads of a task of 39 MB, never read',
    load: () => import('./attacks/unread-answers.mjs').then(({ attack }) => attack),
    connections: 40,
  },
  'F63 lists': {
    row: 'F63',
    title: 'lists of large tasks',
    load: () => import('./attacks/large-lists.mjs').then(({ attack }) => attack),
  },
  'F63 growing': {
    row: 'F63',
    title: 'lists of a large task that grows',
    load: () => import('./attacks/growing-lists.mjs').then(({ attack }) => attack),
    connections: 32,
  },
  F65: {
    row: 'F65',
    title: 'questions that get no reply',
    load: () => import('./attacks/waiting-runs.mjs').then(({ attack }) => attack),
    connections: 32,
  },
  F66: {
    row: 'F66',
    title: 'runs that never end',
    load: () => import('./attacks/endless-runs.mjs').then(({ attack }) => attack),
    connections: 32,
  },
  'F67 messages': {
    row: 'F67',
    title: 'large messages that are kept',
    load: () => import('./attacks/large-messages.mjs').then(({ attack }) => attack),
    connections: 8,
  },
  'F67 bodies': {
    row: 'F67',
    title: '150 bodies that never end',
    load: () => import('./attacks/unfinished-bodies.mjs').then(({ attack }) => attack),
    connections: 150,
  },
  'F67 streams': {
    row: 'F67',
    title: '6,000 streams on one task',
    load: () => import('./attacks/many-streams.mjs').then(({ attack }) => attack),
    connections: 6_000,
  },
  F71: {
    row: 'F71',
    title: 'one task referred to 3,000 times',
    load: () => import('./attacks/repeated-references.mjs').then(({ attack }) => attack),
    connections: 2,
    options: { populateRelatedTasks: true },
  },
  F72: {
    row: 'F72',
    title: 'a task with a growing history',
    load: () => import('./attacks/long-history.mjs').then(({ attack }) => attack),
  },
};

/**
 * @param {number} connections
 * @returns {Pick<AttackRow, 'connections' | 'seconds' | 'stores' | 'isBeyondTwo'>}
 */
function manyConnections(connections) {
  return { connections, seconds: LEASE_SECONDS, stores: ['postgres'], isBeyondTwo: true };
}
