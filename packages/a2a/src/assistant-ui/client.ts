/** `A2AClient` with the interface of `@assistant-ui/react-a2a`, built on Parley's client. */
import type { CallOptions } from '../client/call-options.js';
import type { Client } from '../client/client.js';
import { randomIds } from '../platform/random-ids.js';
import { normalise } from '../protocol/normalise.js';
import { isValid } from '../protocol/parse.js';
import type { MessageTypes, SendMessageRequest, StreamResponse, TaskPushNotificationConfig } from '../protocol/types.js';
import { A2AError, toThrown } from './a2a-error.js';
import type { A2AAgentCard } from './card-types.js';
import type { A2AClientOptions, ParleyOptions } from './client-options.js';
import { originalCard, whyNoCard } from './discovery.js';
import { createParleyClients, isResolvable, type ParleyClients } from './parley-clients.js';
import {
  fromA2AListRequest,
  fromA2AMessage,
  toA2ACard,
  toA2AListResponse,
  toA2AMessage,
  toA2AStreamEvent,
  toA2ATask,
} from './translate.js';
import type {
  A2AListTaskPushNotificationConfigsResponse,
  A2AListTasksRequest,
  A2AListTasksResponse,
  A2AMessage,
  A2ASendMessageConfiguration,
  A2AStreamEvent,
  A2ATask,
  A2ATaskPushNotificationConfig,
} from './types.js';

type Metadata = Record<string, unknown>;

// No limit for the response: the caller ends a waiting send or an idle stream with its signal. Connecting and writing keep their timeouts.
const PATIENT: CallOptions['timeouts'] = { firstByteMs: null, idleMs: null, totalMs: null };

/**
 * Calls one agent. Every method takes an AbortSignal as its last parameter. It rejects with the reason of an aborted signal, otherwise with
 * an `A2AError`. Further functions of Parley's own client (run, watch, send) are at `parley`.
 */
export class A2AClient {
  readonly #options: A2AClientOptions;
  readonly #own: ParleyOptions;
  #clients: ParleyClients | undefined;

  /** `own`: options of Parley's client, such as `credentials`, `retry` or `timeouts`. Throws an A2AError for an invalid option. */
  constructor(options: A2AClientOptions, own: ParleyOptions = {}) {
    this.#options = options;
    this.#own = own;
    // A server that renders the page cannot resolve a relative URL. There the first call throws instead.
    if (typeof options.baseUrl !== 'string' || isResolvable(options.baseUrl)) this.#made();
  }

  /** Parley's client for the same agent, for conversations and for runs that reconnect. */
  get parley(): Client {
    return this.#made().strict;
  }

  /** The agent's card. It is fetched once, then again as the server's caching headers require. */
  getAgentCard(signal?: AbortSignal): Promise<A2AAgentCard> {
    return this.#call(signal, async (client, options) => {
      const card = await client.card(options);
      const why = whyNoCard(card);
      if (why !== undefined) throw why;
      return toA2ACard(originalCard(card) ?? card);
    });
  }

  /** The card for authenticated callers. */
  getExtendedAgentCard(signal?: AbortSignal): Promise<A2AAgentCard> {
    return this.#call(signal, async (client, options) => toA2ACard(await client.getExtendedAgentCard({}, options)));
  }

  /** Sends a message and waits for the result: a task that ended or waits for the caller, or a message. */
  sendMessage(
    message: A2AMessage,
    configuration?: A2ASendMessageConfiguration,
    metadata?: Metadata,
    signal?: AbortSignal,
  ): Promise<A2ATask | A2AMessage> {
    return this.#call(signal, async (client, options) => {
      const { task, message: reply } = await client.sendMessage(toRequest({ message, configuration, metadata }), {
        ...options,
        timeouts: this.#patience(),
      });
      if (task !== undefined) return toA2ATask(task);
      if (reply !== undefined) return toA2AMessage(reply);
      throw new A2AError({ code: 500, status: 'INTERNAL', message: 'The response to SendMessage contains neither a task nor a message' });
    });
  }

  /** Sends a message and yields every event of the answer. Returns the problem of the first event that was unreadable, if any. */
  streamMessage(
    message: A2AMessage,
    configuration?: A2ASendMessageConfiguration,
    metadata?: Metadata,
    signal?: AbortSignal,
  ): AsyncGenerator<A2AStreamEvent, string | undefined> {
    return this.#stream(signal, (client, options) => client.sendStreamingMessage(toRequest({ message, configuration, metadata }), options));
  }

  /** The current task, with at most `historyLength` of its newest messages. */
  getTask(taskId: string, historyLength?: number, signal?: AbortSignal): Promise<A2ATask> {
    const params = historyLength === undefined ? { id: taskId } : { id: taskId, historyLength };
    return this.#call(signal, async (client, options) => toA2ATask(await client.getTask(params, options)));
  }

  /** One page of the matching tasks. */
  listTasks(request: A2AListTasksRequest = {}, signal?: AbortSignal): Promise<A2AListTasksResponse> {
    return this.#call(signal, async (client, options) =>
      toA2AListResponse(await client.listTasks(inForm('ListTasksRequest', fromA2AListRequest(request)), options)),
    );
  }

  /** Asks the agent to cancel a task. Returns the task after the request. */
  cancelTask(taskId: string, metadata?: Metadata, signal?: AbortSignal): Promise<A2ATask> {
    return this.#call(signal, async (client, options) =>
      toA2ATask(await client.cancelTask(inForm('CancelTaskRequest', { id: taskId, metadata }), options)),
    );
  }

  /** Yields the current task and then its events. Returns the same as `streamMessage`. */
  subscribeToTask(taskId: string, signal?: AbortSignal): AsyncGenerator<A2AStreamEvent, string | undefined> {
    return this.#stream(signal, (client, options) => client.subscribeToTask({ id: taskId }, options));
  }

  /** Registers a webhook; `taskId` is required. */
  createTaskPushNotificationConfig(config: A2ATaskPushNotificationConfig, signal?: AbortSignal): Promise<A2ATaskPushNotificationConfig> {
    return this.#call(signal, async (client, options) => {
      if (!config.taskId)
        throw new A2AError({ code: 400, status: 'INVALID_ARGUMENT', message: 'taskId is missing: set it to the task of the webhook' });
      return { ...(await client.createTaskPushNotificationConfig(inForm('TaskPushNotificationConfig', config), options)) };
    });
  }

  /** One webhook of a task. */
  getTaskPushNotificationConfig(taskId: string, configId: string, signal?: AbortSignal): Promise<A2ATaskPushNotificationConfig> {
    return this.#call(signal, async (client, options) => ({
      ...(await client.getTaskPushNotificationConfig({ taskId, id: configId }, options)),
    }));
  }

  /** One page of the webhooks of a task. */
  listTaskPushNotificationConfigs(
    taskId: string,
    page: { pageSize?: number; pageToken?: string } = {},
    signal?: AbortSignal,
  ): Promise<A2AListTaskPushNotificationConfigsResponse> {
    return this.#call(signal, async (client, options) => {
      const { configs = [], ...rest } = await client.listTaskPushNotificationConfigs({ taskId, ...page }, options);
      return { configs: configs.map((config: TaskPushNotificationConfig) => ({ ...config })), ...rest };
    });
  }

  /** Deletes a webhook. */
  deleteTaskPushNotificationConfig(taskId: string, configId: string, signal?: AbortSignal): Promise<void> {
    return this.#call(signal, async (client, options) => {
      await client.deleteTaskPushNotificationConfig({ taskId, id: configId }, options);
    });
  }

  #made(): ParleyClients {
    try {
      this.#clients ??= createParleyClients(this.#options, this.#own);
      return this.#clients;
    } catch (thrown) {
      throw toThrown(thrown);
    }
  }

  #patience(): CallOptions['timeouts'] {
    return this.#own.timeouts === undefined ? PATIENT : undefined;
  }

  async #call<T>(signal: AbortSignal | undefined, work: (client: Client, options: CallOptions) => Promise<T>): Promise<T> {
    const { strict } = this.#made();
    try {
      return await work(strict, { signal });
    } catch (thrown) {
      throw toThrown(thrown, signal);
    }
  }

  async *#stream(
    signal: AbortSignal | undefined,
    open: (client: Client, options: CallOptions) => AsyncIterable<StreamResponse>,
  ): AsyncGenerator<A2AStreamEvent, string | undefined> {
    const { forgiving, skipped } = this.#made();
    const requestId = randomIds.messageId();
    const watched = skipped.watch(requestId);
    try {
      for await (const response of open(forgiving, { signal, requestId, timeouts: this.#patience() })) {
        const event = toA2AStreamEvent(response);
        if (event !== undefined) yield event;
      }
      return watched.reason();
    } catch (thrown) {
      throw toThrown(thrown, signal);
    } finally {
      watched.stop();
    }
  }
}

interface Said {
  readonly message: A2AMessage;
  readonly configuration: A2ASendMessageConfiguration | undefined;
  readonly metadata: Metadata | undefined;
}

function toRequest({ message, configuration, metadata }: Said): SendMessageRequest {
  const request = {
    message: inForm('Message', fromA2AMessage(message)),
    // Explicitly undefined, so that Parley's client does not fill in the modes of the card. A missing field accepts every mode.
    configuration: { acceptedOutputModes: undefined, ...configuration },
    metadata,
  };
  // Undefined fields are not sent, and the check of the request refuses metadata that is not JSON.
  return request as unknown as SendMessageRequest;
}

/**
 * react-a2a sends values as they are. Here recoverable values (base64 without padding, times with an offset) are normalized, and the check
 * before the send refuses the rest.
 */
function inForm<K extends keyof MessageTypes>(type: K, value: unknown): MessageTypes[K] {
  return (isValid(type, value) ? value : normalise(type, value)) as MessageTypes[K];
}
