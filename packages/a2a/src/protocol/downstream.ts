/** What an agent says when the agent that it had called failed. */
import { A2AError, isA2AError } from './a2a-error.js';
import { agentName, readChain } from './error-chain.js';
import { ERRORS, type ErrorReason } from './error-table.js';

export interface Hop {
  /** The agent that says it: its name. */
  readonly currentAgent: string;
  /** The agent that it had called: its name or URL. */
  readonly downstreamAgent: string;
}

/**
 * Turns whatever came of calling another agent into an error of this one, which names both and carries what is known: whether and when
 * trying again makes sense, and through which agents it came. The words of anything but an A2AError stay here, as the cause.
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

// Made by clients only; an agent that lets one escape did not mean to say it.
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

/** Whether an error comes from calling another agent, as against one that this agent says itself. */
export function isDownstreamError(error: A2AError): boolean {
  const { peer, name, reason } = error;
  return peer !== undefined || CLIENT_NAMES.has(name) || reason === 'ABORTED' || reason === 'INPUT_REQUIRED';
}

type Described = Pick<A2AError, 'code' | 'message' | 'retryable' | 'retryAfterMs' | 'chain'> & { readonly reason: string };

function describe(error: unknown): Described {
  if (!isA2AError(error)) return describeForeign(error);
  const { code, reason, retryable, retryAfterMs, chain = [], kind } = error;
  // What a transport says has addresses in it, and is of no use to those further up.
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

/** By name and code, as the platform's own errors have them; `fetch` keeps the code on the cause. */
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
