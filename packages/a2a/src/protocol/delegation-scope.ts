/** The data that an agent passes on when it calls another agent. It is sent in the metadata of the message, under our own URI. */
import { A2AError } from './errors.js';
import type { JsonObject, Message } from './types.js';

const DELEGATION_URI = 'urn:parley:a2a:delegation:v1';

/** Maximum number of agents above a call. Deeper calls are probably a circle. */
const MAX_DELEGATION_DEPTH = 8;

/** Lets agents that call each other stop together, meet the deadline, and detect circles. `context.scope` is one. */
export interface DelegationScope {
  /** Aborted when the parent is canceled: the tasks started under it are canceled too. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly deadline?: number | undefined;
  /** W3C `traceparent`. */
  readonly trace?: string | undefined;
  /** Number of agents above this one; 0 when no agent delegated the call. */
  readonly depth: number;
  /** The task at the top, under which all others were started. */
  readonly rootTaskId?: string | undefined;
}

/** The part of the scope that a message contains. */
export type Delegation = Pick<DelegationScope, 'depth' | 'rootTaskId'>;

/** Metadata for a message to an agent one level deeper. Throws when that is too deep. */
export function toDelegation({ depth, rootTaskId }: Delegation): JsonObject {
  if (!isDepth(depth)) throw new A2AError('INVALID_PARAMS', `the depth of a scope must be a whole number of at least 0, got ${depth}`);
  if (depth >= MAX_DELEGATION_DEPTH) throw tooDeep(depth + 1);
  return { [DELEGATION_URI]: { depth: depth + 1, ...(rootTaskId !== undefined && { rootTaskId }) } };
}

/** Throws when the depth exceeds the limit or the data is malformed: ignoring malformed data would let a circle continue. */
export function readDelegation({ metadata }: Pick<Message, 'metadata'>): Delegation {
  const given: unknown = metadata?.[DELEGATION_URI];
  if (given === undefined) return TOP;
  // For null or a string, both members are undefined, which is refused below.
  const { depth, rootTaskId } = Object(given) as { readonly depth?: unknown; readonly rootTaskId?: unknown };
  if (!isDepth(depth)) throw malformed('depth', 'must be a whole number of at least 0');
  if (rootTaskId !== undefined && typeof rootTaskId !== 'string') throw malformed('rootTaskId', 'must be a string');
  if (depth > MAX_DELEGATION_DEPTH) throw tooDeep(depth);
  return { depth, rootTaskId };
}

const TOP: Delegation = { depth: 0 };

const isDepth = (depth: unknown): depth is number => Number.isSafeInteger(depth) && (depth as number) >= 0;

function malformed(member: string, description: string): A2AError {
  const field = `message.metadata["${DELEGATION_URI}"].${member}`;
  return new A2AError('INVALID_PARAMS', `${field} ${description}`, { violations: [{ field, description }] });
}

function tooDeep(depth: number): A2AError {
  const text = `there are ${depth} agents above this call, the limit is ${MAX_DELEGATION_DEPTH}; check whether agents call each other in a cycle`;
  return new A2AError('INVALID_REQUEST', text, { metadata: { depth: String(depth) } });
}
