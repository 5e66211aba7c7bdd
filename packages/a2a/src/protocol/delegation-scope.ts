/** What an agent passes on when it calls another, and how it travels: in the metadata of the message, under our own name. */
import { A2AError } from './errors.js';
import type { JsonObject, Message } from './types.js';

const DELEGATION_URI = 'urn:parley:a2a:delegation:v1';

/** How many agents may stand above one. Deeper than that, they call each other in a circle. */
const MAX_DELEGATION_DEPTH = 8;

/** Enough for agents that call each other to stop together, in time, and not in circles. `context.scope` is one. */
export interface DelegationScope {
  /** Aborted when the parent is cancelled: the tasks started under it are cancelled too. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly deadline?: number | undefined;
  /** W3C `traceparent`. */
  readonly trace?: string | undefined;
  /** How many agents stand above this one: 0 for one that nobody delegates to. */
  readonly depth: number;
  /** The task at the top, under which all others were started. */
  readonly rootTaskId?: string | undefined;
}

/** What a message says of the agents above. */
export type Delegation = Pick<DelegationScope, 'depth' | 'rootTaskId'>;

/** For the metadata of a message that goes one agent deeper. Throws when that is too deep. */
export function toDelegation({ depth, rootTaskId }: Delegation): JsonObject {
  if (!isDepth(depth)) throw new A2AError('INVALID_PARAMS', `the depth of a scope is a whole number from 0, not ${depth}`);
  if (depth >= MAX_DELEGATION_DEPTH) throw tooDeep(depth + 1);
  return { [DELEGATION_URI]: { depth: depth + 1, ...(rootTaskId !== undefined && { rootTaskId }) } };
}

/** Throws for what is too deep, or is not to be understood: taken for nothing, it would let a circle go on. */
export function readDelegation({ metadata }: Pick<Message, 'metadata'>): Delegation {
  const given: unknown = metadata?.[DELEGATION_URI];
  if (given === undefined) return TOP;
  // Members of null or of a text are undefined, which is refused below.
  const { depth, rootTaskId } = Object(given) as { readonly depth?: unknown; readonly rootTaskId?: unknown };
  if (!isDepth(depth)) throw malformed('depth', 'must be a whole number from 0');
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
  const text = `${depth} agents stand above this call, ${MAX_DELEGATION_DEPTH} are allowed: do they call each other in a circle?`;
  return new A2AError('INVALID_REQUEST', text, { metadata: { depth: String(depth) } });
}
