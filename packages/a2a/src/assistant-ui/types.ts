/** The types of `@assistant-ui/react-a2a` 0.2.32: those of the protocol, with states and roles in lower case. */

/** The protocol version in use. */
export const A2A_PROTOCOL_VERSION = '1.0';

/** The sender of a message. */
export type A2ARole = 'unspecified' | 'user' | 'agent';

/** The state of a task. */
export type A2ATaskState =
  | 'unspecified'
  | 'submitted'
  | 'working'
  | 'completed'
  | 'failed'
  | 'canceled'
  | 'input_required'
  | 'rejected'
  | 'auth_required';

/** One piece of content: exactly one of text, raw, url and data is set. */
export type A2APart = {
  text?: string | undefined;
  /** Bytes as base64. */
  raw?: string | undefined;
  url?: string | undefined;
  data?: unknown;
  metadata?: Record<string, unknown> | undefined;
  filename?: string | undefined;
  mediaType?: string | undefined;
};

/** A message from the user or the agent. */
export type A2AMessage = {
  messageId: string;
  contextId?: string | undefined;
  taskId?: string | undefined;
  role: A2ARole;
  parts: A2APart[];
  metadata?: Record<string, unknown> | undefined;
  extensions?: string[] | undefined;
  referenceTaskIds?: string[] | undefined;
};

/** The state of a task at one moment, with an optional message of the agent. */
export type A2ATaskStatus = {
  state: A2ATaskState;
  message?: A2AMessage | undefined;
  /** ISO 8601. */
  timestamp?: string | undefined;
};

/** A result of a task. */
export type A2AArtifact = {
  artifactId: string;
  name?: string | undefined;
  description?: string | undefined;
  parts: A2APart[];
  metadata?: Record<string, unknown> | undefined;
  extensions?: string[] | undefined;
};

/** A unit of work that an agent does for its caller. */
export type A2ATask = {
  id: string;
  contextId?: string | undefined;
  status: A2ATaskStatus;
  artifacts?: A2AArtifact[] | undefined;
  /** Oldest first. */
  history?: A2AMessage[] | undefined;
  metadata?: Record<string, unknown> | undefined;
};

/** The task has a new status. */
export type A2ATaskStatusUpdateEvent = {
  taskId: string;
  contextId: string;
  status: A2ATaskStatus;
  metadata?: Record<string, unknown> | undefined;
};

/** An artifact was added or extended. */
export type A2ATaskArtifactUpdateEvent = {
  taskId: string;
  contextId: string;
  artifact: A2AArtifact;
  /** true: the parts are appended to the existing ones. */
  append?: boolean | undefined;
  lastChunk?: boolean | undefined;
  metadata?: Record<string, unknown> | undefined;
};

/** One event of a stream; `type` tells which one. */
export type A2AStreamEvent =
  | { type: 'task'; task: A2ATask }
  | { type: 'message'; message: A2AMessage }
  | { type: 'statusUpdate'; event: A2ATaskStatusUpdateEvent }
  | { type: 'artifactUpdate'; event: A2ATaskArtifactUpdateEvent };

/** How the server authenticates itself to a webhook. */
export type A2AAuthenticationInfo = {
  scheme: string;
  credentials?: string | undefined;
};

/** A webhook that is called when a task changes. */
export type A2ATaskPushNotificationConfig = {
  tenant?: string | undefined;
  id?: string | undefined;
  taskId?: string | undefined;
  url: string;
  token?: string | undefined;
  authentication?: A2AAuthenticationInfo | undefined;
};

/** A page of the webhooks of a task. */
export type A2AListTaskPushNotificationConfigsResponse = {
  configs: A2ATaskPushNotificationConfig[];
  nextPageToken?: string | undefined;
};

/** Options of one send. */
export type A2ASendMessageConfiguration = {
  acceptedOutputModes?: string[] | undefined;
  taskPushNotificationConfig?: A2ATaskPushNotificationConfig | undefined;
  historyLength?: number | undefined;
  /** true: return the first state instead of waiting until the task stops. */
  returnImmediately?: boolean | undefined;
};

/** Filters and page of a task list. */
export type A2AListTasksRequest = {
  contextId?: string | undefined;
  status?: A2ATaskState | undefined;
  pageSize?: number | undefined;
  pageToken?: string | undefined;
  historyLength?: number | undefined;
  /** ISO 8601. */
  statusTimestampAfter?: string | undefined;
  includeArtifacts?: boolean | undefined;
};

/** A page of tasks; `nextPageToken` is empty on the last page. */
export type A2AListTasksResponse = {
  tasks: A2ATask[];
  nextPageToken: string;
  pageSize: number;
  totalSize: number;
};

/** The fields of an `A2AError`, in the form of google.rpc.Status. */
export type A2AErrorInfo = {
  /** HTTP status. */
  code: number;
  /** For example `NOT_FOUND`. */
  status: string;
  message: string;
  details?: unknown[] | undefined;
};
