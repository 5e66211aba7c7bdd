/** The eleven operations under their protocol names, over any binding of the peer. */
import { isA2AError } from '../protocol/errors.js';
import type { RequestOf, UnaryMethod } from '../protocol/methods.js';
import type { StreamResponse } from '../protocol/types.js';
import type { CallOptions } from './call-options.js';
import type { Calling } from './calling.js';
import type { Operations } from './client.js';

export function createOperations(calling: Calling): Operations {
  const unary =
    <M extends UnaryMethod>(method: M) =>
    (params: RequestOf<M>, options?: CallOptions) =>
      calling.value(method, params, options);
  return {
    sendMessage: unary('SendMessage'),
    sendStreamingMessage: (params, options) => streamOrSend(calling, params, options),
    getTask: unary('GetTask'),
    listTasks: unary('ListTasks'),
    cancelTask: unary('CancelTask'),
    subscribeToTask: (params, options) => subscribe(calling, params, options),
    createTaskPushNotificationConfig: unary('CreateTaskPushNotificationConfig'),
    getTaskPushNotificationConfig: unary('GetTaskPushNotificationConfig'),
    listTaskPushNotificationConfigs: unary('ListTaskPushNotificationConfigs'),
    deleteTaskPushNotificationConfig: unary('DeleteTaskPushNotificationConfig'),
    getExtendedAgentCard: unary('GetExtendedAgentCard'),
  };
}

async function* subscribe(calling: Calling, params: RequestOf<'SubscribeToTask'>, options?: CallOptions): AsyncGenerator<StreamResponse> {
  for await (const { response } of await calling.open('SubscribeToTask', params, options)) yield response;
}

/**
 * Same loop for every agent: an agent without streaming yields one event. A Message is the last event, even if the peer keeps the stream
 * open.
 */
async function* streamOrSend(
  calling: Calling,
  params: RequestOf<'SendStreamingMessage'>,
  options?: CallOptions,
): AsyncGenerator<StreamResponse> {
  const { card } = await calling.peer(options);
  const streams = card?.capabilities.streaming === true || calling.settings.assumeStreaming;
  let told = false;
  try {
    if (streams) {
      for await (const { response } of await calling.open('SendStreamingMessage', params, options)) {
        told = true;
        yield response;
        if (response.message !== undefined) return;
      }
      return;
    }
  } catch (error) {
    // The peer refused before it did any work. After the first event that is no longer certain.
    if (told || !isA2AError(error) || error.reason !== 'UNSUPPORTED_OPERATION') throw error;
  }
  yield await calling.value('SendMessage', params, options);
}
