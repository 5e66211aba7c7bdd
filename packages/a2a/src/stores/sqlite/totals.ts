/**
 * Number of tasks per owner and state, so that the total of a list needs no query. Counted on first use; then every write reports its
 * change. The file belongs to this process, so there are no other writers.
 */
import type { Connection } from './connection.js';

/** As stored in columns. */
export interface OwnerColumns {
  readonly agent: string;
  readonly tenant: string;
  readonly owner: string;
}

type Counts = Map<number, number>;

/** Number of owners whose counts are cached; beyond it the cache is cleared. */
const MAX_OWNERS = 1_000;

export class Totals {
  readonly #count: (owner: OwnerColumns) => Counts;
  readonly #owners = new Map<string, Counts>();

  constructor(db: Connection) {
    const count = db.query<readonly [number, number]>(
      'SELECT state, count(*) FROM tasks INDEXED BY tasks_by_state WHERE agent = ? AND tenant = ? AND owner = ? GROUP BY state',
    );
    const countOf = ({ agent, tenant, owner }: OwnerColumns): Counts => new Map(count.all([agent, tenant, owner]));
    this.#count = countOf;
    // The changes reported in the transaction did not happen.
    db.onRollback(() => this.forget());
  }

  /** Counts again on the next use. */
  forget(): void {
    this.#owners.clear();
  }

  /** All tasks of an owner, or those in one state. */
  of(owner: OwnerColumns, state: number | undefined): number {
    const counts = this.#owners.get(keyOf(owner)) ?? this.#learn(owner);
    if (state !== undefined) return counts.get(state) ?? 0;
    let sum = 0;
    for (const n of counts.values()) sum += n;
    return sum;
  }

  /** Reports that a task changed its state. Pass undefined as `from` on creation and as `to` on deletion. */
  moved(owner: OwnerColumns, from: number | undefined, to: number | undefined): void {
    if (from === to || this.#owners.size === 0) return;
    const counts = this.#owners.get(keyOf(owner));
    if (counts === undefined) return;
    if (from !== undefined) counts.set(from, (counts.get(from) ?? 0) - 1);
    if (to !== undefined) counts.set(to, (counts.get(to) ?? 0) + 1);
  }

  #learn(owner: OwnerColumns): Counts {
    if (this.#owners.size >= MAX_OWNERS) this.#owners.clear();
    const counts = this.#count(owner);
    this.#owners.set(keyOf(owner), counts);
    return counts;
  }
}

function keyOf({ agent, tenant, owner }: OwnerColumns): string {
  return `${agent.length}:${tenant.length}:${agent}${tenant}${owner}`;
}
