/** The error of an agent whose call of another agent failed. */
import { A2AError, isA2AError } from './a2a-error.js';
import { agentName, readChain } from './error-chain.js';
import { ERRORS, type ErrorReason } from './error-table.js';

/** Names the two agents of a call that failed, for `wrapDownstreamError`. */
export interface Hop {
  /** The name of the agent that reports the failure. */
  readonly currentAgent: string;
  /** The name or URL of the agent that it called. */
  readonly downstreamAgent: string;
}

/**
 * Converts the failure of a call to another agent to an error of this agent. It names both agents and states whether and when to retry, and
 * the chain of agents. The text of errors other than A2AErrors is kept only as the cause.
 */
export function wrapDownstreamError(error: unknown, { currentAgent, downstreamAgent }: Hop): A2AError {
  const { code, reason, message, retryable, retryAfterMs, chain } = describe(error);
  const hop = {
    currentAgent,
    downstreamAgent,
    downstreamError: { code, reason, message },
    retryable,
    ...(retryAfterMs !== undefined && { retryAfter: retryAfterMs / 1000 }),
  };
  return new A2AError('INTERNAL_ERROR', `Downstream agent '${agentName(downstreamAgent)}' failed`, {
    cause: error,
    retryable,
    retryAfterMs,
    chain: readChain([hop, ...chain]),
  });
}

// Created only by clients; an agent that lets one escape did not intend to send it.
const CLIENT_NAMES = new Set([
  'A2ATransportError',
  'A2AInvalidCardError',
  'A2ACardSignatureError',
  'A2AIncompatibleProtocolVersionError',
  'A2AExtensionError',
  'A2AClientToolsNotSupportedError',
  'A2AReconnectError',
  'A2ACircuitOpenError',
  'A2AActivationTimeoutError',
  'A2AInputRequiredError',
  'A2AInputTimeoutError',
  'A2ATaskTerminalError',
  'A2ATaskFailedError',
  'A2ATaskRejectedError',
  'A2ATaskCanceledError',
  'A2ATaskAuthRequiredError',
]);

/** Whether an error comes from a call of another agent, and is not this agent's own. */
export function isDownstreamError(error: A2AError): boolean {
  const { peer, name, reason } = error;
  return peer !== undefined || CLIENT_NAMES.has(name) || reason === 'ABORTED' || reason === 'INPUT_REQUIRED';
}

type Described = Pick<A2AError, 'code' | 'message' | 'retryable' | 'retryAfterMs' | 'chain'> & { readonly reason: string };

function describe(error: unknown): Described {
  if (!isA2AError(error)) return describeForeign(error);
  const { code, reason, retryable, retryAfterMs, chain = [], kind } = error;
  // Messages of the transport contain addresses and are of no use to agents further up.
  const message = SENTENCES.get(kind) ?? error.message;
  return { code, reason, message, retryable: retryable === true, retryAfterMs, chain };
}

const SENTENCES: ReadonlyMap<string, string> = new Map([
  ['network', 'The agent could not be reached'],
  ['timeout', 'The agent did not answer in time'],
  ['serialization', 'The answer of the agent could not be read'],
]);

function describeForeign(thrown: unknown): Described {
  const reason = reasonOfForeign(thrown);
  const { rpc, retryable } = ERRORS[reason];
  return { code: rpc, reason, message: FOREIGN.get(reason) ?? 'The call failed', retryable, retryAfterMs: undefined, chain: [] };
}

const FOREIGN: ReadonlyMap<ErrorReason, string> = new Map([
  ['TASK_TIMEOUT', 'The agent did not answer in time'],
  ['AGENT_UNAVAILABLE', 'The agent could not be reached'],
  ['ABORTED', 'The call was aborted'],
]);

const UNREACHABLE = ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EPIPE'];
const TOO_LATE = ['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'];

/** Classifies by the name and code of platform errors; `fetch` keeps the code on the cause. */
function reasonOfForeign(thrown: unknown): ErrorReason {
  const name = memberOf(thrown, 'name');
  if (name === 'TimeoutError') return 'TASK_TIMEOUT';
  if (name === 'AbortError') return 'ABORTED';
  const code = String(memberOf(thrown, 'code') ?? memberOf(memberOf(thrown, 'cause'), 'code'));
  if (TOO_LATE.includes(code)) return 'TASK_TIMEOUT';
  return UNREACHABLE.includes(code) ? 'AGENT_UNAVAILABLE' : 'INTERNAL_ERROR';
}

function memberOf(value: unknown, name: string): unknown {
  try {
    return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  } catch {
    return undefined; // a getter or proxy that throws
  }
}
