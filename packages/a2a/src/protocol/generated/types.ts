// Generated from model/a2a-1.0.json by `npm run generate`. Do not edit.
import type { JsonObject } from '../json.js';

/**
 * The state of a task.
 * - `TASK_STATE_UNSPECIFIED`: Not specified; never sent.
 * - `TASK_STATE_SUBMITTED`: Accepted, not started.
 * - `TASK_STATE_WORKING`: The agent works on it.
 * - `TASK_STATE_COMPLETED`: Final: done.
 * - `TASK_STATE_FAILED`: Final: failed.
 * - `TASK_STATE_CANCELED`: Final: stopped on request.
 * - `TASK_STATE_INPUT_REQUIRED`: Waits for an answer from the caller.
 * - `TASK_STATE_REJECTED`: Final: the agent declined.
 * - `TASK_STATE_AUTH_REQUIRED`: Waits for an authorization.
 */
export type TaskState =
  | 'TASK_STATE_UNSPECIFIED'
  | 'TASK_STATE_SUBMITTED'
  | 'TASK_STATE_WORKING'
  | 'TASK_STATE_COMPLETED'
  | 'TASK_STATE_FAILED'
  | 'TASK_STATE_CANCELED'
  | 'TASK_STATE_INPUT_REQUIRED'
  | 'TASK_STATE_REJECTED'
  | 'TASK_STATE_AUTH_REQUIRED';

/**
 * The sender of a message.
 * - `ROLE_UNSPECIFIED`: Not specified; never sent.
 * - `ROLE_USER`: The caller.
 * - `ROLE_AGENT`: The agent.
 */
export type Role =
  | 'ROLE_UNSPECIFIED'
  | 'ROLE_USER'
  | 'ROLE_AGENT';

/** Options for the answer to one send. */
export interface SendMessageConfiguration {
  /** Media types that the caller can process; agents should use one of them. */
  readonly acceptedOutputModes?: readonly string[];
  /** Webhook to register for the resulting task; omit its taskId. */
  readonly taskPushNotificationConfig?: TaskPushNotificationConfig;
  /** Maximum number of newest messages to return: 0 for none; if absent, the server decides. */
  readonly historyLength?: number;
  /** Return the first state instead of waiting until the task stops. */
  readonly returnImmediately?: boolean;
}

/** Work that an agent does for a caller: its status, messages and results. */
export interface Task {
  /** Assigned by the server. */
  readonly id: string;
  /** The conversation it belongs to. */
  readonly contextId?: string;
  /** The current status. */
  readonly status: TaskStatus;
  /** Results so far. */
  readonly artifacts?: readonly Artifact[];
  /** Stored messages, oldest first. */
  readonly history?: readonly Message[];
  /** Custom data of the agent. */
  readonly metadata?: JsonObject;
}

/** The state of a task at one time, with an optional message of the agent. */
export interface TaskStatus {
  /** The state of the task. */
  readonly state: TaskState;
  /** The agent's message about it. */
  readonly message?: Message;
  /** When it was recorded. */
  readonly timestamp?: string;
}

/** One piece of content in a message or an artifact: exactly one of text, raw, url and data is set. */
export interface Part {
  /** Plain text. */
  readonly text?: string;
  /** Bytes as base64. */
  readonly raw?: string;
  /** The address of the content. */
  readonly url?: string;
  /** Any JSON value; null is a value too. */
  readonly data?: unknown;
  /** Custom data of the sender. */
  readonly metadata?: JsonObject;
  /** The name of the file. */
  readonly filename?: string;
  /** Media type of the content. */
  readonly mediaType?: string;
}

/** A message from the caller to the agent, or from the agent to the caller, in one or more parts. */
export interface Message {
  /** Chosen by the sender. */
  readonly messageId: string;
  /** The conversation it belongs to. */
  readonly contextId?: string;
  /** The existing task that it belongs to. */
  readonly taskId?: string;
  /** The sender of a message. */
  readonly role: Role;
  /** The content, at least one part. */
  readonly parts: readonly Part[];
  /** Custom data of the sender. */
  readonly metadata?: JsonObject;
  /** URIs of the extensions that it uses. */
  readonly extensions?: readonly string[];
  /** Other tasks that it refers to. */
  readonly referenceTaskIds?: readonly string[];
}

/** A result of a task, such as a text, a file or data, in one or more parts; it may arrive piece by piece. */
export interface Artifact {
  /** Unique within its task. */
  readonly artifactId: string;
  /** A name for people. */
  readonly name?: string;
  /** A description for people. */
  readonly description?: string;
  /** The content, at least one part. */
  readonly parts: readonly Part[];
  /** Custom data of the agent. */
  readonly metadata?: JsonObject;
  /** URIs of the extensions that it uses. */
  readonly extensions?: readonly string[];
}

/** An event of a stream: the task has a new status. */
export interface TaskStatusUpdateEvent {
  /** The task. */
  readonly taskId: string;
  /** Its conversation. */
  readonly contextId: string;
  /** The new status. */
  readonly status: TaskStatus;
  /** Merged into the metadata of the task. */
  readonly metadata?: JsonObject;
}

/** An event of a stream: an artifact is new, was replaced, or has grown. */
export interface TaskArtifactUpdateEvent {
  /** The task. */
  readonly taskId: string;
  /** Its conversation. */
  readonly contextId: string;
  /** The artifact, or the parts to add to it. */
  readonly artifact: Artifact;
  /** True adds the parts to the artifact with this id; otherwise the artifact is new or replaced. */
  readonly append?: boolean;
  /** True when the artifact is complete. */
  readonly lastChunk?: boolean;
  /** Custom data of the agent about the event. */
  readonly metadata?: JsonObject;
}

/** How a server authenticates to a webhook. */
export interface AuthenticationInfo {
  /** HTTP authentication scheme, such as Bearer. */
  readonly scheme: string;
  /** The secret, in the format of the scheme. */
  readonly credentials?: string;
}

/** One address of an agent, with its protocol binding and version. */
export interface AgentInterface {
  /** Absolute URL; host:port for gRPC. */
  readonly url: string;
  /** JSONRPC, HTTP+JSON, GRPC or a URI. */
  readonly protocolBinding: string;
  /** Must be sent in each request to this address. */
  readonly tenant?: string;
  /** Major.Minor. */
  readonly protocolVersion: string;
}

/** The description of an agent: its skills, its addresses, and how to call it. */
export interface AgentCard {
  /** A name for people. */
  readonly name: string;
  /** The purpose of the agent. */
  readonly description: string;
  /** Its addresses, the preferred one first. */
  readonly supportedInterfaces: readonly AgentInterface[];
  /** The organization that runs it. */
  readonly provider?: AgentProvider;
  /** Version of the agent itself. */
  readonly version: string;
  /** The address of its documentation. */
  readonly documentationUrl?: string;
  /** Its optional features. */
  readonly capabilities: AgentCapabilities;
  /** Named ways to authenticate. */
  readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>;
  /** Alternatives; a caller must meet one of them. */
  readonly securityRequirements?: readonly SecurityRequirement[];
  /** Media types that it accepts. */
  readonly defaultInputModes: readonly string[];
  /** Media types that it returns. */
  readonly defaultOutputModes: readonly string[];
  /** Its skills. */
  readonly skills: readonly AgentSkill[];
  /** Signatures over the rest of the card. */
  readonly signatures?: readonly AgentCardSignature[];
  /** The address of its icon. */
  readonly iconUrl?: string;
}

/** The organization that runs an agent. */
export interface AgentProvider {
  /** Its website. */
  readonly url: string;
  /** Its name. */
  readonly organization: string;
}

/** Optional features of an agent; absent means no. */
export interface AgentCapabilities {
  /** Streams and subscriptions are supported. */
  readonly streaming?: boolean;
  /** Webhooks are supported. */
  readonly pushNotifications?: boolean;
  /** Extensions that it supports. */
  readonly extensions?: readonly AgentExtension[];
  /** Authenticated callers can get an extended card. */
  readonly extendedAgentCard?: boolean;
}

/** A protocol extension that an agent supports, and whether callers must use it. */
export interface AgentExtension {
  /** Identifies the extension and its version. */
  readonly uri?: string;
  /** How this agent uses it. */
  readonly description?: string;
  /** True when callers must activate it. */
  readonly required?: boolean;
  /** Settings, as the extension defines them. */
  readonly params?: JsonObject;
}

/** One thing that an agent can do, described for callers that choose among agents. */
export interface AgentSkill {
  /** Unique within the card. */
  readonly id: string;
  /** A name for people. */
  readonly name: string;
  /** Its purpose. */
  readonly description: string;
  /** Keywords, at least one. */
  readonly tags: readonly string[];
  /** Example requests. */
  readonly examples?: readonly string[];
  /** Replaces the default input modes of the card. */
  readonly inputModes?: readonly string[];
  /** Replaces the default output modes of the card. */
  readonly outputModes?: readonly string[];
  /** Required in addition to the requirements of the card. */
  readonly securityRequirements?: readonly SecurityRequirement[];
}

/** A signature over a card: a detached JWS. */
export interface AgentCardSignature {
  /** Protected header, base64url. */
  readonly protected: string;
  /** Signature, base64url. */
  readonly signature: string;
  /** Unprotected header. */
  readonly header?: JsonObject;
}

/** A webhook that is called when a task changes. */
export interface TaskPushNotificationConfig {
  /** The tenant of the chosen interface, if it has one. */
  readonly tenant?: string;
  /** Chosen by the server when absent. */
  readonly id?: string;
  /** The task. */
  readonly taskId?: string;
  /** The address to post to. */
  readonly url: string;
  /** Sent with each notification, so that the receiver can check where it belongs. */
  readonly token?: string;
  /** How the server authenticates to the receiver. */
  readonly authentication?: AuthenticationInfo;
}

/** A list of strings that can be the value of a map. */
export interface StringList {
  /** The items. */
  readonly list?: readonly string[];
}

/** Security schemes that a caller must meet together. */
export interface SecurityRequirement {
  /** Maps the name of a scheme to the required scopes. */
  readonly schemes?: Readonly<Record<string, StringList>>;
}

/** One way to authenticate: exactly one member is set. */
export interface SecurityScheme {
  /** A key in a header, query or cookie. */
  readonly apiKeySecurityScheme?: APIKeySecurityScheme;
  /** An HTTP Authorization header. */
  readonly httpAuthSecurityScheme?: HTTPAuthSecurityScheme;
  /** OAuth 2.0. */
  readonly oauth2SecurityScheme?: OAuth2SecurityScheme;
  /** OpenID Connect. */
  readonly openIdConnectSecurityScheme?: OpenIdConnectSecurityScheme;
  /** A client certificate. */
  readonly mtlsSecurityScheme?: MutualTlsSecurityScheme;
}

/** Authentication by a key that the caller sends. */
export interface APIKeySecurityScheme {
  /** A description for people. */
  readonly description?: string;
  /** header, query or cookie. */
  readonly location: string;
  /** Name of the header, parameter or cookie. */
  readonly name: string;
}

/** Authentication by the HTTP Authorization header. */
export interface HTTPAuthSecurityScheme {
  /** A description for people. */
  readonly description?: string;
  /** Scheme name, such as Bearer. */
  readonly scheme: string;
  /** A hint about the token format, such as JWT. */
  readonly bearerFormat?: string;
}

/** Authentication by an OAuth 2.0 token. */
export interface OAuth2SecurityScheme {
  /** A description for people. */
  readonly description?: string;
  /** How to get a token. */
  readonly flows: OAuthFlows;
  /** The address of the authorization server's metadata. */
  readonly oauth2MetadataUrl?: string;
}

/** Authentication by OpenID Connect. */
export interface OpenIdConnectSecurityScheme {
  /** A description for people. */
  readonly description?: string;
  /** The address of the discovery document. */
  readonly openIdConnectUrl: string;
}

/** Authentication by a client certificate. */
export interface MutualTlsSecurityScheme {
  /** A description for people. */
  readonly description?: string;
}

/** The flow to get an OAuth 2.0 token: exactly one member is set. */
export interface OAuthFlows {
  /** By redirect. */
  readonly authorizationCode?: AuthorizationCodeOAuthFlow;
  /** With the client's own secret. */
  readonly clientCredentials?: ClientCredentialsOAuthFlow;
  /** Deprecated; kept because it is part of the wire format. @deprecated */
  readonly implicit?: ImplicitOAuthFlow;
  /** Deprecated; kept because it is part of the wire format. @deprecated */
  readonly password?: PasswordOAuthFlow;
  /** On a second device. */
  readonly deviceCode?: DeviceCodeOAuthFlow;
}

/** A token for a user who signs in through a redirect. */
export interface AuthorizationCodeOAuthFlow {
  /** The authorization endpoint. */
  readonly authorizationUrl: string;
  /** The token endpoint. */
  readonly tokenUrl: string;
  /** The refresh endpoint. */
  readonly refreshUrl?: string;
  /** Maps a scope to its description. */
  readonly scopes: Readonly<Record<string, string>>;
  /** True when the server requires PKCE. */
  readonly pkceRequired?: boolean;
}

/** A token for the client itself, without a user. */
export interface ClientCredentialsOAuthFlow {
  /** The token endpoint. */
  readonly tokenUrl: string;
  /** The refresh endpoint. */
  readonly refreshUrl?: string;
  /** Maps a scope to its description. */
  readonly scopes: Readonly<Record<string, string>>;
}

/** A token in the redirect itself. Deprecated; kept because it is part of the wire format. */
export interface ImplicitOAuthFlow {
  /** The authorization endpoint. */
  readonly authorizationUrl?: string;
  /** The refresh endpoint. */
  readonly refreshUrl?: string;
  /** Maps a scope to its description. */
  readonly scopes?: Readonly<Record<string, string>>;
}

/** A token for a user's password. Deprecated; kept because it is part of the wire format. */
export interface PasswordOAuthFlow {
  /** The token endpoint. */
  readonly tokenUrl?: string;
  /** The refresh endpoint. */
  readonly refreshUrl?: string;
  /** Maps a scope to its description. */
  readonly scopes?: Readonly<Record<string, string>>;
}

/** A token for a user who signs in on a second device. */
export interface DeviceCodeOAuthFlow {
  /** The device authorization endpoint. */
  readonly deviceAuthorizationUrl: string;
  /** The token endpoint. */
  readonly tokenUrl: string;
  /** The refresh endpoint. */
  readonly refreshUrl?: string;
  /** Maps a scope to its description. */
  readonly scopes: Readonly<Record<string, string>>;
}

/** Sends a message to an agent: parameters of SendMessage and SendStreamingMessage. */
export interface SendMessageRequest {
  /** The tenant of the chosen interface, if it has one. */
  readonly tenant?: string;
  /** The message to send. */
  readonly message: Message;
  /** Options of this send. */
  readonly configuration?: SendMessageConfiguration;
  /** Custom data of the caller. */
  readonly metadata?: JsonObject;
}

/** Reads one task: parameters of GetTask. */
export interface GetTaskRequest {
  /** The tenant of the chosen interface, if it has one. */
  readonly tenant?: string;
  /** The task. */
  readonly id: string;
  /** Maximum number of newest messages to return: 0 for none; if absent, the server decides. */
  readonly historyLength?: number;
}

/** Reads a page of the tasks that match all filters: parameters of ListTasks. */
export interface ListTasksRequest {
  /** The tenant of the chosen interface, if it has one. */
  readonly tenant?: string;
  /** Only tasks of this conversation. */
  readonly contextId?: string;
  /** Only tasks in this state. */
  readonly status?: TaskState;
  /** From 1 to 100; 50 when absent. */
  readonly pageSize?: number;
  /** nextPageToken of the previous page. */
  readonly pageToken?: string;
  /** Maximum number of newest messages to return with each task. */
  readonly historyLength?: number;
  /** Only tasks whose status has this time or a later one. */
  readonly statusTimestampAfter?: string;
  /** True also returns artifacts. */
  readonly includeArtifacts?: boolean;
}

/** A page of tasks, newest first; all members are always present. */
export interface ListTasksResponse {
  /** The page, newest status first. */
  readonly tasks: readonly Task[];
  /** Empty on the last page. */
  readonly nextPageToken: string;
  /** The page size that was used. */
  readonly pageSize: number;
  /** Number of matching tasks on all pages. */
  readonly totalSize: number;
}

/** Cancels a task: parameters of CancelTask. */
export interface CancelTaskRequest {
  /** The tenant of the chosen interface, if it has one. */
  readonly tenant?: string;
  /** The task. */
  readonly id: string;
  /** Custom data of the caller. */
  readonly metadata?: JsonObject;
}

/** Reads one webhook of a task. */
export interface GetTaskPushNotificationConfigRequest {
  /** The tenant of the chosen interface, if it has one. */
  readonly tenant?: string;
  /** The task. */
  readonly taskId: string;
  /** The webhook. */
  readonly id: string;
}

/** Removes one webhook of a task. */
export interface DeleteTaskPushNotificationConfigRequest {
  /** The tenant of the chosen interface, if it has one. */
  readonly tenant?: string;
  /** The task. */
  readonly taskId: string;
  /** The webhook. */
  readonly id: string;
}

/** Follows a task that has not ended: parameters of SubscribeToTask. */
export interface SubscribeToTaskRequest {
  /** The tenant of the chosen interface, if it has one. */
  readonly tenant?: string;
  /** The task. */
  readonly id: string;
}

/** Reads the webhooks of a task. */
export interface ListTaskPushNotificationConfigsRequest {
  /** The tenant of the chosen interface, if it has one. */
  readonly tenant?: string;
  /** The task. */
  readonly taskId: string;
  /** 0 or absent: the server decides. */
  readonly pageSize?: number;
  /** nextPageToken of the previous page. */
  readonly pageToken?: string;
}

/** Reads the extended card for authenticated callers. */
export interface GetExtendedAgentCardRequest {
  /** The tenant of the chosen interface, if it has one. */
  readonly tenant?: string;
}

/** The answer to SendMessage, a task or a direct message: exactly one member is set. */
export interface SendMessageResponse {
  /** The task that the agent works on. */
  readonly task?: Task;
  /** A direct answer without a task. */
  readonly message?: Message;
}

/** One event of a stream: exactly one member is set. */
export interface StreamResponse {
  /** The current task. */
  readonly task?: Task;
  /** A direct answer without a task. */
  readonly message?: Message;
  /** The task has a new status. */
  readonly statusUpdate?: TaskStatusUpdateEvent;
  /** An artifact is new or has grown. */
  readonly artifactUpdate?: TaskArtifactUpdateEvent;
}

/** A page of the webhooks of a task. */
export interface ListTaskPushNotificationConfigsResponse {
  /** The webhooks of this page. */
  readonly configs?: readonly TaskPushNotificationConfig[];
  /** Empty on the last page. */
  readonly nextPageToken?: string;
}

/** An empty result: the operation succeeded. */
export type Empty = Readonly<Record<string, never>>;

/** Every message of the protocol by its name. */
export interface MessageTypes {
  readonly SendMessageConfiguration: SendMessageConfiguration;
  readonly Task: Task;
  readonly TaskStatus: TaskStatus;
  readonly Part: Part;
  readonly Message: Message;
  readonly Artifact: Artifact;
  readonly TaskStatusUpdateEvent: TaskStatusUpdateEvent;
  readonly TaskArtifactUpdateEvent: TaskArtifactUpdateEvent;
  readonly AuthenticationInfo: AuthenticationInfo;
  readonly AgentInterface: AgentInterface;
  readonly AgentCard: AgentCard;
  readonly AgentProvider: AgentProvider;
  readonly AgentCapabilities: AgentCapabilities;
  readonly AgentExtension: AgentExtension;
  readonly AgentSkill: AgentSkill;
  readonly AgentCardSignature: AgentCardSignature;
  readonly TaskPushNotificationConfig: TaskPushNotificationConfig;
  readonly StringList: StringList;
  readonly SecurityRequirement: SecurityRequirement;
  readonly SecurityScheme: SecurityScheme;
  readonly APIKeySecurityScheme: APIKeySecurityScheme;
  readonly HTTPAuthSecurityScheme: HTTPAuthSecurityScheme;
  readonly OAuth2SecurityScheme: OAuth2SecurityScheme;
  readonly OpenIdConnectSecurityScheme: OpenIdConnectSecurityScheme;
  readonly MutualTlsSecurityScheme: MutualTlsSecurityScheme;
  readonly OAuthFlows: OAuthFlows;
  readonly AuthorizationCodeOAuthFlow: AuthorizationCodeOAuthFlow;
  readonly ClientCredentialsOAuthFlow: ClientCredentialsOAuthFlow;
  readonly ImplicitOAuthFlow: ImplicitOAuthFlow;
  readonly PasswordOAuthFlow: PasswordOAuthFlow;
  readonly DeviceCodeOAuthFlow: DeviceCodeOAuthFlow;
  readonly SendMessageRequest: SendMessageRequest;
  readonly GetTaskRequest: GetTaskRequest;
  readonly ListTasksRequest: ListTasksRequest;
  readonly ListTasksResponse: ListTasksResponse;
  readonly CancelTaskRequest: CancelTaskRequest;
  readonly GetTaskPushNotificationConfigRequest: GetTaskPushNotificationConfigRequest;
  readonly DeleteTaskPushNotificationConfigRequest: DeleteTaskPushNotificationConfigRequest;
  readonly SubscribeToTaskRequest: SubscribeToTaskRequest;
  readonly ListTaskPushNotificationConfigsRequest: ListTaskPushNotificationConfigsRequest;
  readonly GetExtendedAgentCardRequest: GetExtendedAgentCardRequest;
  readonly SendMessageResponse: SendMessageResponse;
  readonly StreamResponse: StreamResponse;
  readonly ListTaskPushNotificationConfigsResponse: ListTaskPushNotificationConfigsResponse;
  readonly Empty: Empty;
}
