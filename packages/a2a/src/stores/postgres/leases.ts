import { toColumn } from '../sql/name.js';

/**
 * The incarnation of a node that this process is. A lease counts the incarnations of a name; tasks and requests store the lease under which
 * they were given.
 *
 * The lease is remembered here and not read from the database. Other processes share the database: if this process slept while another took
 * its name, reading the current lease would assign its tasks to that process, which does not run them. With the remembered lease, those
 * tasks are taken over. A process without a heartbeat has no lease and runs nothing.
 */
export class Leases {
  readonly #leases = new Map<string, number>();

  /** Stores the lease that the last heartbeat returned. */
  learn(node: string, lease: number): void {
    this.#leases.set(node, lease);
  }

  /** The columns that identify the acting node. */
  of(node: string): readonly [node: string, lease: number] {
    return [toColumn(node), this.#leases.get(node) ?? 0];
  }
}
