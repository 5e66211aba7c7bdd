/** The eleven operations: request and response types, the capability that each requires, and their routes in HTTP+JSON. */
import type { MessageTypes } from './types.js';

/** The HTTP methods that HTTP+JSON routes use. */
export type HttpVerb = 'GET' | 'POST' | 'DELETE';

/** A capability that the card must declare before the operation may be used. */
export type MethodCapability = 'streaming' | 'pushNotifications' | 'extendedAgentCard';

/** One route of an operation in HTTP+JSON. */
export interface RestRoute {
  readonly verb: HttpVerb;
  /** Path below the interface URL; `{name}` is one segment, which sets this member of the request. */
  readonly path: string;
  /** Whether the request is in the body; otherwise it is in the query. */
  readonly body: boolean;
}

/** One row of `METHODS`: the types of an operation, its required capability and its routes. */
export interface MethodRow {
  readonly request: keyof MessageTypes;
  readonly response: keyof MessageTypes;
  /** The response is a stream of these messages. */
  readonly streaming: boolean;
  readonly capability?: MethodCapability;
  /** Clients use the first route; every route also exists below `/{tenant}`. */
  readonly routes: readonly [RestRoute, ...RestRoute[]];
}

const CONFIGS = '/tasks/{taskId}/pushNotificationConfigs';

/** The eleven operations of the protocol by name, with their types, capabilities and routes. */
export const METHODS = {
  SendMessage: {
    request: 'SendMessageRequest',
    response: 'SendMessageResponse',
    streaming: false,
    routes: [{ verb: 'POST', path: '/message:send', body: true }],
  },
  SendStreamingMessage: {
    request: 'SendMessageRequest',
    response: 'StreamResponse',
    streaming: true,
    capability: 'streaming',
    routes: [{ verb: 'POST', path: '/message:stream', body: true }],
  },
  GetTask: {
    request: 'GetTaskRequest',
    response: 'Task',
    streaming: false,
    routes: [{ verb: 'GET', path: '/tasks/{id}', body: false }],
  },
  ListTasks: {
    request: 'ListTasksRequest',
    response: 'ListTasksResponse',
    streaming: false,
    routes: [{ verb: 'GET', path: '/tasks', body: false }],
  },
  CancelTask: {
    request: 'CancelTaskRequest',
    response: 'Task',
    streaming: false,
    routes: [{ verb: 'POST', path: '/tasks/{id}:cancel', body: true }],
  },
  SubscribeToTask: {
    request: 'SubscribeToTaskRequest',
    response: 'StreamResponse',
    streaming: true,
    capability: 'streaming',
    // The text of the specification says POST, its protobuf file GET; peers use both.
    routes: [
      { verb: 'POST', path: '/tasks/{id}:subscribe', body: true },
      { verb: 'GET', path: '/tasks/{id}:subscribe', body: false },
    ],
  },
  CreateTaskPushNotificationConfig: {
    request: 'TaskPushNotificationConfig',
    response: 'TaskPushNotificationConfig',
    streaming: false,
    capability: 'pushNotifications',
    routes: [{ verb: 'POST', path: CONFIGS, body: true }],
  },
  GetTaskPushNotificationConfig: {
    request: 'GetTaskPushNotificationConfigRequest',
    response: 'TaskPushNotificationConfig',
    streaming: false,
    capability: 'pushNotifications',
    routes: [{ verb: 'GET', path: `${CONFIGS}/{id}`, body: false }],
  },
  ListTaskPushNotificationConfigs: {
    request: 'ListTaskPushNotificationConfigsRequest',
    response: 'ListTaskPushNotificationConfigsResponse',
    streaming: false,
    capability: 'pushNotifications',
    routes: [{ verb: 'GET', path: CONFIGS, body: false }],
  },
  DeleteTaskPushNotificationConfig: {
    request: 'DeleteTaskPushNotificationConfigRequest',
    response: 'Empty',
    streaming: false,
    capability: 'pushNotifications',
    routes: [{ verb: 'DELETE', path: `${CONFIGS}/{id}`, body: false }],
  },
  GetExtendedAgentCard: {
    request: 'GetExtendedAgentCardRequest',
    response: 'AgentCard',
    streaming: false,
    capability: 'extendedAgentCard',
    routes: [{ verb: 'GET', path: '/extendedAgentCard', body: false }],
  },
} as const satisfies Record<string, MethodRow>;

/** The names of the eleven operations, such as `SendMessage`. */
export type MethodName = keyof typeof METHODS;
/** The operations whose response is a stream. */
export type StreamMethod = { [M in MethodName]: (typeof METHODS)[M]['streaming'] extends true ? M : never }[MethodName];
/** The operations whose response is one message. */
export type UnaryMethod = Exclude<MethodName, StreamMethod>;
/** The request type of an operation: `RequestOf<'GetTask'>` is GetTaskRequest. */
export type RequestOf<M extends MethodName> = MessageTypes[(typeof METHODS)[M]['request']];
/** The response type of an operation: `ResponseOf<'GetTask'>` is Task. */
export type ResponseOf<M extends MethodName> = MessageTypes[(typeof METHODS)[M]['response']];

/** The routes of some operations. */
export type RouteTable = Readonly<Partial<Record<MethodName, readonly RestRoute[]>>>;

/** The routes of 1.0. */
export const ROUTES: RouteTable = Object.fromEntries(Object.entries<MethodRow>(METHODS).map(([method, { routes }]) => [method, routes]));

/** false for unknown methods. */
export function isStreaming(method: string): boolean {
  return isMethodName(method) && METHODS[method].streaming;
}

/** Own properties only: `constructor` and similar names are not methods. */
export function isMethodName(name: string): name is MethodName {
  return Object.hasOwn(METHODS, name);
}
