// The client of the official SDK. Its states are protobuf enum numbers.
import { SendMessageRequest, TaskState, taskStateToJSON } from '@a2a-js/sdk';
import { ClientFactory, ClientFactoryOptions } from '@a2a-js/sdk/client';
import { message } from '../load/client.mjs';
import { cardOf } from './card.mjs';

/** @param {string} url @returns {Promise<import('../client-process.mjs').Sender>} */
export async function createSender(url) {
  const factory = new ClientFactory(ClientFactoryOptions.default);
  const client = await factory.createFromAgentCard(/** @type {any} */ (cardOf(url)));
  return async () => {
    const result = await client.sendMessage(SendMessageRequest.fromJSON(message('task')));
    if (!('status' in result)) throw new Error('expected a task, got a message');
    return taskStateToJSON(result.status?.state ?? TaskState.UNRECOGNIZED);
  };
}
