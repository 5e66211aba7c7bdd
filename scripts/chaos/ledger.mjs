// What executors wrote down about themselves, one file for each life of a node. A line is in the page cache when `write` returns: it
// outlives the process.
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `entered`: execute was. `committed`: a flush behind these chunks resolved. `completed`: `complete` did, behind the last of them.
 * @typedef {{ taskId: string, attempt: number }} Run
 * @typedef {Run & ({ what: 'entered' } | { what: 'committed' | 'completed', chunks: readonly string[] })} Deed
 * @typedef {Deed & { node: string, boot: number, at: number }} Line `boot` counts the lives of a node from 1
 */

const PREFIX = 'ledger-';

export class Ledger {
  #file;
  #who;

  /**
   * @param {string} folder
   * @param {{ node: string, boot: number }} who
   */
  constructor(folder, { node, boot }) {
    this.#file = join(folder, `${PREFIX}${node}-${boot}.jsonl`);
    this.#who = { node, boot };
  }

  /** @param {Deed} deed */
  write(deed) {
    appendFileSync(this.#file, `${JSON.stringify({ ...deed, ...this.#who, at: Date.now() })}\n`);
  }
}

/**
 * All lines of all nodes, oldest first.
 * @param {string} folder
 * @returns {Line[]}
 */
export function readLedgers(folder) {
  const files = readdirSync(folder).filter((name) => name.startsWith(PREFIX));
  const lines = files.flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'));
  return lines
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .sort((a, b) => a.at - b.at);
}
