// The records of executors, one file for each boot of a node. A line is in the page cache when `write` returns, so it survives the process.
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `entered`: execute started. `committed`: the flush after these chunks resolved. `completed`: `complete` resolved after the last chunks.
 * @typedef {{ taskId: string, attempt: number }} Run
 * @typedef {Run & ({ what: 'entered' } | { what: 'committed' | 'completed', chunks: readonly string[] })} Deed
 * @typedef {Deed & { node: string, boot: number, at: number }} Line `boot` counts the starts of a node from 1
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
