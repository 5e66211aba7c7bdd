import { toColumn } from '../sql/name.js';

/**
 * Which incarnation of a node this process is. A lease counts the incarnations of a name; tasks and requests hold the lease that they were
 * given. Other processes share the database, so it is not asked which lease the name has now, as a store that owns its file may do: a
 * process that slept while another took its name would give its tasks to that one, which does not run them. It writes the lease it was
 * told itself, and the tasks are taken over. Who was never told one, because it never beat, runs nothing.
 */
export class Leases {
  readonly #leases = new Map<string, number>();

  /** What the last beat was told. */
  learn(node: string, lease: number): void {
    this.#leases.set(node, lease);
  }

  /** The columns that say who does something. */
  of(node: string): readonly [node: string, lease: number] {
    return [toColumn(node), this.#leases.get(node) ?? 0];
  }
}
