/**
 * The leases of nodes. A lease is one incarnation of a node. Tasks and requests refer to the lease, so a new incarnation does not inherit
 * them.
 */
export interface NodeLease {
  readonly node: string;
  /** Unknown until the first heartbeat: a node may own tasks before it. */
  incarnation: string | undefined;
  until: number;
}

const NEVER = Number.NEGATIVE_INFINITY;

export function isAlive(lease: NodeLease, now: number): boolean {
  return lease.until > now;
}

export class Nodes {
  readonly #leases = new Map<string, NodeLease>();

  leaseOf(node: string): NodeLease {
    return this.#leases.get(node) ?? this.#grant({ node, incarnation: undefined, until: NEVER });
  }

  beat(node: string, incarnation: string, until: number, now: number): 'ok' | 'taken' {
    const lease = this.leaseOf(node);
    if (lease.incarnation === undefined || lease.incarnation === incarnation) {
      lease.incarnation = incarnation;
      lease.until = until;
      return 'ok';
    }
    if (isAlive(lease, now)) return 'taken';
    // The old incarnation must stay dead even if the clock is set back.
    lease.until = NEVER;
    this.#grant({ node, incarnation, until });
    return 'ok';
  }

  #grant(lease: NodeLease): NodeLease {
    this.#leases.set(lease.node, lease);
    return lease;
  }
}
