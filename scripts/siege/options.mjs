// The options of the command line.
import { parseArgs } from 'node:util';
import { ATTACKS } from './attacks.mjs';

/** @typedef {'memory' | 'sqlite' | 'postgres'} Store */

/**
 * @typedef {object} Options
 * @property {readonly string[]} only rows or names of attacks; empty means all
 * @property {Partial<Record<Store, readonly string[]>>} [cases] only these attacks, for each store
 * @property {readonly Store[]} stores
 * @property {number} seconds of each attack
 * @property {number} aloneMs how long the caller is measured without attackers
 * @property {import('./judge.mjs').Bounds} bounds
 * @property {boolean} help
 */

export const USAGE = `npm run siege -- [options]

  --quick             four short attacks on memory and SQLite, with a looser bound for the latency
  --only F60,F62      only these rows, or single attacks such as "F67 bodies"
  --store memory      only this store: memory, sqlite or postgres
  --seconds 5         how long each attack lasts; F61 lasts longer than a lease in any case
`;

/** @type {readonly Store[]} */
const STORES = ['memory', 'sqlite', 'postgres'];
/** Rows that are not in the table of attacks. */
const OTHER_ROWS = ['F61 killed', 'F61 hung', 'F64'];

const FULL = { stores: STORES, seconds: 5, aloneMs: 2_000, p99Ms: 250 };
/** The machine that runs all tests is busy: this form finds attacks that stop the server, not small delays. */
const QUICK = { ...FULL, stores: STORES.slice(0, 2), seconds: 1.5, aloneMs: 300, p99Ms: 2_000 };
/** @type {Options['cases']} */
const QUICK_CASES = { memory: ['F60', 'F67 bodies'], sqlite: ['F62', 'F71'] };

/**
 * @param {readonly string[]} args
 * @returns {Options}
 */
export function readOptions(args) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      store: { type: 'string' },
      seconds: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const size = values.quick ? QUICK : FULL;
  return {
    only: readNames(values.only ?? ''),
    ...(values.quick && values.only === undefined && { cases: QUICK_CASES }),
    stores: values.store === undefined ? size.stores : readStores(values.store),
    seconds: values.seconds === undefined ? size.seconds : readSeconds(values.seconds),
    aloneMs: size.aloneMs,
    bounds: { maxRssMiB: 512, p99Ms: size.p99Ms },
    help: values.help,
  };
}

/**
 * Whether the options select this attack. `F67` selects `F67 bodies` and all others of its row.
 * @param {Pick<Options, 'only' | 'cases'>} options
 * @param {string} name
 * @param {Store} [store] absent for cases without a store
 */
export function isSelected({ only, cases }, name, store) {
  if (cases !== undefined) return store !== undefined && cases[store]?.includes(name) === true;
  return only.length === 0 || only.some((one) => name === one || name.startsWith(`${one} `));
}

/** @param {string} text */
function readNames(text) {
  const names = text.split(',').filter((name) => name !== '');
  const known = [...Object.keys(ATTACKS), ...OTHER_ROWS];
  const unknown = names.find((name) => !known.some((one) => isSelected({ only: [name] }, one)));
  if (unknown !== undefined) throw new Error(`--only: no attack ${unknown}; the attacks are ${known.join(', ')}`);
  return names;
}

/** @param {string} text */
function readStores(text) {
  const names = text.split(',');
  const unknown = names.find((name) => !STORES.some((store) => store === name));
  if (unknown !== undefined) throw new Error(`--store must be memory, sqlite or postgres, got ${unknown}`);
  return STORES.filter((store) => names.includes(store));
}

/** @param {string} text */
function readSeconds(text) {
  const seconds = Number(text);
  if (!(seconds >= 1 && seconds <= 600)) throw new Error(`--seconds must be a number from 1 to 600, got ${text}`);
  return seconds;
}
