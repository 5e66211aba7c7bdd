/** Sends one message and returns one reply. */
import { promiseOf } from '../platform/promise-of.js';
import type { DelegationScope } from '../protocol/delegation-scope.js';
import { A2AError } from '../protocol/errors.js';
import type { SendMessageConfiguration } from '../protocol/types.js';
import type { Calling } from './calling.js';
import type { SendOptions } from './client.js';
import { contextFor, learnContext } from './contexts.js';
import { delegationMetadata } from './delegation.js';
import { inContext, metadataOf, toMessage } from './message.js';
import { toReply } from './reply.js';
import { holdSignal } from './resilience/held-signal.js';
import type { Input } from './run/run-options.js';
import type { Reply } from './run/update.js';

interface Sending {
  readonly calling: Calling;
  readonly input: Input;
  readonly options: SendOptions;
}

export function sendOnce(calling: Calling, input: Input, options: SendOptions = {}): Promise<Reply> {
  const { scope } = options;
  return scope === undefined ? promiseOf(sendNow, { calling, input, options }) : sendUnder(scope, { calling, input, options });
}

/** Throws synchronously if the message is invalid. */
function sendNow({ calling, input, options }: Sending): Promise<Reply> {
  const { memory, newId } = calling.settings;
  const { taskId, referenceTaskIds, metadata, messageMetadata } = options;
  const draft = toMessage(input, newId, { taskId, referenceTaskIds, messageMetadata });
  const message = inContext(draft, contextFor(memory, { input: draft, contextId: options.contextId }));
  const configuration = toWishes(options);
  const params = { message, ...(configuration !== undefined && { configuration }), ...(metadata !== undefined && { metadata }) };
  return calling.value('SendMessage', params, options).then((answer) => {
    const reply = toReply(answer);
    if (reply === undefined) throw new A2AError('INVALID_AGENT_RESPONSE', 'The response has neither a task nor a message');
    learnContext(memory, reply.contextId);
    return reply;
  });
}

async function sendUnder(scope: DelegationScope, { calling, input, options }: Sending): Promise<Reply> {
  const { clock } = calling.settings;
  const held = holdSignal(options.signal);
  const stop = (): void => held.abort(scope.signal.reason);
  if (scope.signal.aborted) stop();
  scope.signal.addEventListener('abort', stop, { once: true });
  try {
    return await sendOnce(calling, input, {
      ...options,
      ...underScope(scope, { ...options, messageMetadata: options.messageMetadata ?? metadataOf(input) }, clock.now()),
      signal: held.signal,
      scope: undefined,
    });
  } finally {
    scope.signal.removeEventListener('abort', stop);
    held.release();
  }
}

/** A call on behalf of a task shares the deadline and the trace of the task, and carries its delegation depth. */
function underScope(scope: DelegationScope, { headers, messageMetadata, timeouts }: SendOptions, now: number): SendOptions {
  const { trace, deadline } = scope;
  const leftMs = deadline === undefined ? undefined : Math.max(1, deadline - now);
  const totalMs = leftMs === undefined ? undefined : Math.min(leftMs, timeouts?.totalMs ?? leftMs);
  return {
    messageMetadata: delegationMetadata(scope, messageMetadata),
    ...(trace !== undefined && { headers: { traceparent: trace, ...headers } }),
    ...(totalMs !== undefined && { timeouts: { ...timeouts, totalMs } }),
  };
}

/** Returns the configuration of this send, or undefined if it sets nothing, which is the common case. */
function toWishes({ acceptedOutputModes, historyLength, returnImmediately }: SendOptions): SendMessageConfiguration | undefined {
  if (acceptedOutputModes === undefined && historyLength === undefined && returnImmediately === undefined) return undefined;
  return {
    ...(acceptedOutputModes !== undefined && { acceptedOutputModes }),
    ...(historyLength !== undefined && { historyLength }),
    ...(returnImmediately !== undefined && { returnImmediately }),
  };
}
