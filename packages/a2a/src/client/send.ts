/** One message, one answer. */
import { A2AError } from '../protocol/errors.js';
import type { SendMessageConfiguration } from '../protocol/types.js';
import type { Calling } from './calling.js';
import type { SendOptions } from './client.js';
import { contextFor, learnContext } from './contexts.js';
import { toMessage } from './message.js';
import { toReply } from './reply.js';
import type { Input } from './run/run-options.js';
import type { Reply } from './run/update.js';

export async function sendOnce(calling: Calling, input: Input, options: SendOptions = {}): Promise<Reply> {
  const { contexts, newId } = calling.settings;
  const { key } = await calling.peer(options);
  const message = toMessage(input, newId, { ...options, contextId: contextFor(contexts, key, { input, ...options }) });
  const answer = await calling.value('SendMessage', { message, configuration: toWishes(options) }, options);
  const reply = toReply(answer);
  if (reply === undefined) throw new A2AError('INVALID_AGENT_RESPONSE', 'The answer has neither a task nor a message');
  learnContext(contexts, key, reply.contextId);
  return reply;
}

function toWishes({ acceptedOutputModes, historyLength, returnImmediately }: SendOptions): SendMessageConfiguration {
  return {
    ...(acceptedOutputModes !== undefined && { acceptedOutputModes }),
    ...(historyLength !== undefined && { historyLength }),
    ...(returnImmediately !== undefined && { returnImmediately }),
  };
}
