/** `A2AClient` as `@assistant-ui/react-a2a` has it, on Parley's client. */
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

// A send that waits for its agent and a stream that is silent are ended by who waits for them, with his signal.
const PATIENT: CallOptions['timeouts'] = { firstByteMs: null, idleMs: null, totalMs: null };

/**
 * Calls one agent. Every method takes an AbortSignal last, and rejects with its reason when it is aborted, else with an `A2AError`.
 * What Parley's own client can do besides (run, watch, send) is at `parley`.
 */
export class A2AClient {
  readonly #options: A2AClientOptions;
  readonly #own: ParleyOptions;
  #clients: ParleyClients | undefined;

  /** `own`: options of Parley's client, such as `credentials`, `retry` or `timeouts`. Throws an A2AError when an option can not work. */
  constructor(options: A2AClientOptions, own: ParleyOptions = {}) {
    this.#options = options;
    this.#own = own;
    // A server that renders the page knows no address for a path: there the first call is early enough.
    if (typeof options.baseUrl !== 'string' || isResolvable(options.baseUrl)) this.#made();
  }

  /** Parley's client for the same agent, for runs that come back when the connection breaks and for conversations. */
  get parley(): Client {
    return this.#made().strict;
  }

  /** The card of the agent, fetched once and then as its server's caching headers say. */
  getAgentCard(signal?: AbortSignal): Promise<A2AAgentCard> {
    return this.#call(signal, async (client, options) => {
      const card = await client.card(options);
      const why = whyNoCard(card);
      if (why !== undefined) throw why;
      return toA2ACard(originalCard(card) ?? card);
    });
  }

  /** The card for those whom the agent knows. */
  getExtendedAgentCard(signal?: AbortSignal): Promise<A2AAgentCard> {
    return this.#call(signal, async (client, options) => toA2ACard(await client.getExtendedAgentCard({}, options)));
  }

  /** Sends a message and waits for the answer: a task that stopped or waits for you, or a message. */
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
      throw new A2AError({ code: 500, status: 'INTERNAL', message: 'The answer to SendMessage holds neither a task nor a message' });
    });
  }

  /** Sends a message and gives every event of the answer. Returns what was wrong with the first event that could not be read, if any. */
  streamMessage(
    message: A2AMessage,
    configuration?: A2ASendMessageConfiguration,
    metadata?: Metadata,
    signal?: AbortSignal,
  ): AsyncGenerator<A2AStreamEvent, string | undefined> {
    return this.#stream(signal, (client, options) => client.sendStreamingMessage(toRequest({ message, configuration, metadata }), options));
  }

  /** One task as it is now, with at most `historyLength` of its newest messages. */
  getTask(taskId: string, historyLength?: number, signal?: AbortSignal): Promise<A2ATask> {
    const params = historyLength === undefined ? { id: taskId } : { id: taskId, historyLength };
    return this.#call(signal, async (client, options) => toA2ATask(await client.getTask(params, options)));
  }

  /** One page of the tasks that fit. */
  listTasks(request: A2AListTasksRequest = {}, signal?: AbortSignal): Promise<A2AListTasksResponse> {
    return this.#call(signal, async (client, options) =>
      toA2AListResponse(await client.listTasks(inForm('ListTasksRequest', fromA2AListRequest(request)), options)),
    );
  }

  /** Asks the agent to stop a task; gives the task as it is then. */
  cancelTask(taskId: string, metadata?: Metadata, signal?: AbortSignal): Promise<A2ATask> {
    return this.#call(signal, async (client, options) =>
      toA2ATask(await client.cancelTask(inForm('CancelTaskRequest', { id: taskId, metadata }), options)),
    );
  }

  /** Every event of a task from now on, the task itself first. Returns what `streamMessage` returns. */
  subscribeToTask(taskId: string, signal?: AbortSignal): AsyncGenerator<A2AStreamEvent, string | undefined> {
    return this.#stream(signal, (client, options) => client.subscribeToTask({ id: taskId }, options));
  }

  /** Registers a webhook; its `taskId` must be given. */
  createTaskPushNotificationConfig(config: A2ATaskPushNotificationConfig, signal?: AbortSignal): Promise<A2ATaskPushNotificationConfig> {
    return this.#call(signal, async (client, options) => {
      if (!config.taskId)
        throw new A2AError({ code: 400, status: 'INVALID_ARGUMENT', message: 'taskId is missing: which task is the webhook for?' });
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

  /** Removes a webhook. */
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
    // Said to be undefined, so that Parley's client does not fill in what the card says: nothing said means anything goes.
    configuration: { acceptedOutputModes: undefined, ...configuration },
    metadata,
  };
  // What is undefined is not sent, and metadata that is no JSON is refused when the request is checked.
  return request as unknown as SendMessageRequest;
}

/** The package sends what it is given. What can be understood (base64 without padding, times with an offset) is brought into form; the rest is refused by the check before sending. */
function inForm<K extends keyof MessageTypes>(type: K, value: unknown): MessageTypes[K] {
  return (isValid(type, value) ? value : normalise(type, value)) as MessageTypes[K];
}
