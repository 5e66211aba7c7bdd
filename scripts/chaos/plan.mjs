// Plans all faults from the seed before the run. Two faults may overlap, but at least one node always stays.
import { seededRandom } from '@parley/a2a/testing';

/** Each kind with its weight in the random selection and its duration in milliseconds. */
const KINDS = /** @type {const} */ ({
  kill: { weight: 4, ms: [0, 4_000] },
  pause: { weight: 4, ms: [1_000, 8_000] },
  drain: { weight: 2, ms: [0, 500] },
  'restart PostgreSQL': { weight: 1, ms: [0, 1_500] },
  'crash PostgreSQL': { weight: 1, ms: [0, 1_500] },
  'freeze PostgreSQL': { weight: 1, ms: [500, 3_000] },
  'kill Redis': { weight: 2, ms: [0, 4_000] },
  'cut all connections': { weight: 1, ms: [0, 0] },
  'cut connections to a node': { weight: 1, ms: [0, 0] },
  'end database connections': { weight: 1, ms: [0, 0] },
  'end the listening connection': { weight: 2, ms: [0, 0] },
});

/** @typedef {keyof typeof KINDS} Kind */
/** @typedef {{ atMs: number, kind: Kind, node: number, lastsMs: number }} Fault `node`: the target, if the fault has one */
/**
 * @typedef {object} Scope
 * @property {number} seed
 * @property {import('./options.mjs').Bus} bus
 * @property {number} forMs
 * @property {number} faults minimum number; every kind occurs at least once
 * @property {number} nodes
 * @property {number} [pace] multiplies the duration of each fault. Default 1
 * @property {readonly Kind[]} [kinds] Default: all that apply to this bus
 */

/** Faults that apply to only one kind of bus. @type {Partial<Record<Kind, import('./options.mjs').Bus>>} */
const ONLY_WITH = { 'kill Redis': 'redis', 'end the listening connection': 'postgres' };
const AWAY = /** @type {readonly Kind[]} */ (['kill', 'pause', 'drain']);
/** Time for a node to restart on a busy machine. */
const COME_BACK_MS = 2_000;
const SHARE_OF_PAIRS = 0.2;

/**
 * @param {Scope} scope
 * @returns {Fault[]}
 */
export function createPlan({ seed, bus, forMs, faults, nodes, pace = 1, kinds: only = kindsOf(bus) }) {
  const random = seededRandom(seed);
  const kinds = drawKinds(random, only, faults);
  const everyMs = forMs / kinds.length;
  /** The time until which each node is away. */
  const away = Array.from({ length: nodes }, () => 0);
  /** @type {Fault[]} */
  const plan = [];
  for (const [index, kind] of kinds.entries()) {
    const before = plan.at(-1)?.atMs ?? 0;
    const isPair = index > 0 && random() < SHARE_OF_PAIRS;
    const atMs = isPair ? before + random() * 300 : Math.max(before, (index + random() * 0.8) * everyMs);
    const [least, most] = KINDS[kind].ms;
    const lastsMs = Math.round((least + random() * (most - least)) * pace);
    plan.push(place({ atMs: Math.round(atMs), kind, node: Math.floor(random() * nodes), lastsMs }, away));
  }
  return plan.sort((a, b) => a.atMs - b.atMs);
}

/**
 * Splits the kinds that apply to both buses between them, so that the plans take half the time. Both plans kill a node, because take-overs
 * are measured by that.
 * @param {number} seed
 * @param {import('./options.mjs').Bus} bus
 * @returns {Kind[]}
 */
export function halfOfKinds(seed, bus) {
  const shared = kindsOf(bus).filter((kind) => kind !== 'kill' && !(kind in ONLY_WITH));
  const dealt = shuffle(seededRandom(seed), shared).filter((_, index) => (index % 2 === 0) === (bus === 'redis'));
  return kindsOf(bus).filter((kind) => kind === 'kill' || kind in ONLY_WITH || dealt.includes(kind));
}

/** @param {import('./options.mjs').Bus} bus */
function kindsOf(bus) {
  return /** @type {Kind[]} */ (Object.keys(KINDS)).filter((kind) => (ONLY_WITH[kind] ?? bus) === bus);
}

/**
 * Never takes away a node that is already away, or the last remaining node: the fault moves to another node or to a later time.
 * @param {Fault} fault
 * @param {number[]} away changed
 * @returns {Fault}
 */
function place(fault, away) {
  if (!AWAY.includes(fault.kind)) return fault;
  const { lastsMs } = fault;
  for (let { atMs } = fault; ; atMs += 500) {
    const here = away.flatMap((untilMs, node) => (untilMs <= atMs ? [node] : []));
    const node = here.includes(fault.node) ? fault.node : here[0];
    if (node === undefined || here.length < 2) continue;
    away[node] = atMs + lastsMs + COME_BACK_MS;
    return { ...fault, atMs, node };
  }
}

/**
 * Draws from shuffled sets, one after another, so that every long enough period contains all kinds.
 * @param {() => number} random
 * @param {readonly Kind[]} possible
 * @param {number} count
 * @returns {Kind[]}
 */
function drawKinds(random, possible, count) {
  const drawn = shuffle(random, possible); // each kind at least once, even in a short plan
  while (drawn.length < count)
    drawn.push(
      ...shuffle(
        random,
        possible.flatMap((kind) => Array.from({ length: KINDS[kind].weight }, () => kind)),
      ),
    );
  return shuffle(random, drawn.slice(0, Math.max(count, possible.length)));
}

/**
 * @template T
 * @param {() => number} random
 * @param {readonly T[]} list
 * @returns {T[]}
 */
function shuffle(random, list) {
  return list
    .map((one) => ({ one, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ one }) => one);
}
