// Generated from model/a2a-1.0.json by `npm run generate`. Do not edit.
import type { JsonObject } from '../json.js';

/**
 * Where a task stands.
 * - `TASK_STATE_UNSPECIFIED`: Not said; never sent.
 * - `TASK_STATE_SUBMITTED`: Taken, not begun.
 * - `TASK_STATE_WORKING`: Being worked on.
 * - `TASK_STATE_COMPLETED`: Final: done.
 * - `TASK_STATE_FAILED`: Final: went wrong.
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
 * Who speaks.
 * - `ROLE_UNSPECIFIED`: Not said; never sent.
 * - `ROLE_USER`: The caller.
 * - `ROLE_AGENT`: The agent.
 */
export type Role =
  | 'ROLE_UNSPECIFIED'
  | 'ROLE_USER'
  | 'ROLE_AGENT';

/** How the caller wants one send to be answered. */
export interface SendMessageConfiguration {
  /** Media types the caller can handle; agents try to fit. */
  readonly acceptedOutputModes?: readonly string[];
  /** Webhook to register for the task that results; leave its taskId out. */
  readonly taskPushNotificationConfig?: TaskPushNotificationConfig;
  /** How many of the newest messages to return: 0 for none, absent for the server's choice. */
  readonly historyLength?: number;
  /** Answer with the first state instead of waiting until the task stops. */
  readonly returnImmediately?: boolean;
}

/** A piece of work that an agent does for a caller: where it stands, what was said, and what came out of it. */
export interface Task {
  /** Given by the server. */
  readonly id: string;
  /** The conversation it belongs to. */
  readonly contextId?: string;
  /** Where it stands now. */
  readonly status: TaskStatus;
  /** Results so far. */
  readonly artifacts?: readonly Artifact[];
  /** Kept messages, oldest first. */
  readonly history?: readonly Message[];
  /** Anything the agent attaches. */
  readonly metadata?: JsonObject;
}

/** Where a task stands at one moment, and what the agent says about that. */
export interface TaskStatus {
  /** Where the task stands. */
  readonly state: TaskState;
  /** What the agent says about it. */
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
  /** Where the content can be fetched. */
  readonly url?: string;
  /** Any JSON value; null is a value too. */
  readonly data?: unknown;
  /** Anything the sender attaches. */
  readonly metadata?: JsonObject;
  /** Name for a file. */
  readonly filename?: string;
  /** Media type of the content. */
  readonly mediaType?: string;
}

/** What the caller says to the agent, or the agent to the caller, in one or more parts. */
export interface Message {
  /** Made by the sender. */
  readonly messageId: string;
  /** The conversation it belongs to. */
  readonly contextId?: string;
  /** The existing task it is about. */
  readonly taskId?: string;
  /** Who speaks. */
  readonly role: Role;
  /** The content, at least one piece. */
  readonly parts: readonly Part[];
  /** Anything the sender attaches. */
  readonly metadata?: JsonObject;
  /** URIs of extensions that took part in it. */
  readonly extensions?: readonly string[];
  /** Earlier tasks worth looking at. */
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
  /** The content, at least one piece. */
  readonly parts: readonly Part[];
  /** Anything the agent attaches. */
  readonly metadata?: JsonObject;
  /** URIs of extensions that took part in it. */
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
  /** True adds the parts to the artifact of that id; otherwise it is new or replaced. */
  readonly append?: boolean;
  /** True when the artifact is complete. */
  readonly lastChunk?: boolean;
  /** Anything the agent attaches to the event. */
  readonly metadata?: JsonObject;
}

/** How a server proves itself to a webhook. */
export interface AuthenticationInfo {
  /** HTTP authentication scheme, such as Bearer. */
  readonly scheme: string;
  /** The secret, in the form that the scheme wants. */
  readonly credentials?: string;
}

/** One address of an agent, with the binding and the version of the protocol that are spoken there. */
export interface AgentInterface {
  /** Absolute URL; host:port for gRPC. */
  readonly url: string;
  /** JSONRPC, HTTP+JSON, GRPC or a URI. */
  readonly protocolBinding: string;
  /** To be repeated in each request to this address. */
  readonly tenant?: string;
  /** Major.Minor. */
  readonly protocolVersion: string;
}

/** What an agent says about itself: what it can do, where it is, and how to call it. */
export interface AgentCard {
  /** A name for people. */
  readonly name: string;
  /** What the agent is good for. */
  readonly description: string;
  /** Its addresses, the preferred one first. */
  readonly supportedInterfaces: readonly AgentInterface[];
  /** Who runs it. */
  readonly provider?: AgentProvider;
  /** Version of the agent itself. */
  readonly version: string;
  /** Where to read more. */
  readonly documentationUrl?: string;
  /** Optional features it has. */
  readonly capabilities: AgentCapabilities;
  /** Named ways to authenticate. */
  readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>;
  /** Alternatives, one of which a caller has to meet. */
  readonly securityRequirements?: readonly SecurityRequirement[];
  /** Media types it takes. */
  readonly defaultInputModes: readonly string[];
  /** Media types it gives. */
  readonly defaultOutputModes: readonly string[];
  /** What it can do. */
  readonly skills: readonly AgentSkill[];
  /** Signatures over the rest of the card. */
  readonly signatures?: readonly AgentCardSignature[];
  /** A picture. */
  readonly iconUrl?: string;
}

/** The organization that runs an agent. */
export interface AgentProvider {
  /** Its home on the web. */
  readonly url: string;
  /** What it is called. */
  readonly organization: string;
}

/** Optional features of an agent; absent means no. */
export interface AgentCapabilities {
  /** Streams and subscriptions work. */
  readonly streaming?: boolean;
  /** Webhooks work. */
  readonly pushNotifications?: boolean;
  /** Extensions it knows. */
  readonly extensions?: readonly AgentExtension[];
  /** Authenticated callers can ask for a fuller card. */
  readonly extendedAgentCard?: boolean;
}

/** An extension of the protocol that an agent knows, and whether callers need it. */
export interface AgentExtension {
  /** Names the extension and its version. */
  readonly uri?: string;
  /** What this agent does with it. */
  readonly description?: string;
  /** True when callers have to activate it. */
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
  /** What it is for. */
  readonly description: string;
  /** Keywords, at least one. */
  readonly tags: readonly string[];
  /** Things to say to it. */
  readonly examples?: readonly string[];
  /** Replaces the default input modes of the card. */
  readonly inputModes?: readonly string[];
  /** Replaces the default output modes of the card. */
  readonly outputModes?: readonly string[];
  /** Needed on top of what the card asks for. */
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

/** A webhook that is told whenever a task moves. */
export interface TaskPushNotificationConfig {
  /** The tenant of the chosen interface, if it has one. */
  readonly tenant?: string;
  /** Chosen by the server when absent. */
  readonly id?: string;
  /** The task. */
  readonly taskId?: string;
  /** Where to post. */
  readonly url: string;
  /** Sent along, so that the receiver can tell whose it is. */
  readonly token?: string;
  /** How the server proves itself to the receiver. */
  readonly authentication?: AuthenticationInfo;
}

/** A list of strings that can be the value of a map. */
export interface StringList {
  /** The items. */
  readonly list?: readonly string[];
}

/** Security schemes that a caller has to meet together. */
export interface SecurityRequirement {
  /** Name of the scheme to the scopes needed. */
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

/** Authentication by a key that the caller sends along. */
export interface APIKeySecurityScheme {
  /** Words for people. */
  readonly description?: string;
  /** header, query or cookie. */
  readonly location: string;
  /** Name of the header, parameter or cookie. */
  readonly name: string;
}

/** Authentication by the HTTP Authorization header. */
export interface HTTPAuthSecurityScheme {
  /** Words for people. */
  readonly description?: string;
  /** Scheme name, such as Bearer. */
  readonly scheme: string;
  /** Hint at the kind of token, such as JWT. */
  readonly bearerFormat?: string;
}

/** Authentication by a token of OAuth 2.0. */
export interface OAuth2SecurityScheme {
  /** Words for people. */
  readonly description?: string;
  /** How to get a token. */
  readonly flows: OAuthFlows;
  /** Where the authorization server describes itself. */
  readonly oauth2MetadataUrl?: string;
}

/** Authentication by OpenID Connect. */
export interface OpenIdConnectSecurityScheme {
  /** Words for people. */
  readonly description?: string;
  /** Discovery document. */
  readonly openIdConnectUrl: string;
}

/** Authentication by a client certificate. */
export interface MutualTlsSecurityScheme {
  /** Words for people. */
  readonly description?: string;
}

/** The way to get a token of OAuth 2.0: exactly one member is set. */
export interface OAuthFlows {
  /** By redirect. */
  readonly authorizationCode?: AuthorizationCodeOAuthFlow;
  /** With the client's own secret. */
  readonly clientCredentials?: ClientCredentialsOAuthFlow;
  /** Outdated; kept because it is on the wire. @deprecated */
  readonly implicit?: ImplicitOAuthFlow;
  /** Outdated; kept because it is on the wire. @deprecated */
  readonly password?: PasswordOAuthFlow;
  /** On a second device. */
  readonly deviceCode?: DeviceCodeOAuthFlow;
}

/** A token for a person, who signs in by way of a redirect. */
export interface AuthorizationCodeOAuthFlow {
  /** Where the user says yes. */
  readonly authorizationUrl: string;
  /** Where tokens are given. */
  readonly tokenUrl: string;
  /** Where tokens are renewed. */
  readonly refreshUrl?: string;
  /** Scope to what it allows. */
  readonly scopes: Readonly<Record<string, string>>;
  /** True when the server insists on PKCE. */
  readonly pkceRequired?: boolean;
}

/** A token for the client itself, without a person. */
export interface ClientCredentialsOAuthFlow {
  /** Where tokens are given. */
  readonly tokenUrl: string;
  /** Where tokens are renewed. */
  readonly refreshUrl?: string;
  /** Scope to what it allows. */
  readonly scopes: Readonly<Record<string, string>>;
}

/** A token in the redirect itself: outdated, kept because it is on the wire. */
export interface ImplicitOAuthFlow {
  /** Where the user says yes. */
  readonly authorizationUrl?: string;
  /** Where tokens are renewed. */
  readonly refreshUrl?: string;
  /** Scope to what it allows. */
  readonly scopes?: Readonly<Record<string, string>>;
}

/** A token for a person's password: outdated, kept because it is on the wire. */
export interface PasswordOAuthFlow {
  /** Where tokens are given. */
  readonly tokenUrl?: string;
  /** Where tokens are renewed. */
  readonly refreshUrl?: string;
  /** Scope to what it allows. */
  readonly scopes?: Readonly<Record<string, string>>;
}

/** A token for a person who signs in on a second device. */
export interface DeviceCodeOAuthFlow {
  /** Where a device asks for its code. */
  readonly deviceAuthorizationUrl: string;
  /** Where tokens are given. */
  readonly tokenUrl: string;
  /** Where tokens are renewed. */
  readonly refreshUrl?: string;
  /** Scope to what it allows. */
  readonly scopes: Readonly<Record<string, string>>;
}

/** Says something to an agent: parameters of SendMessage and SendStreamingMessage. */
export interface SendMessageRequest {
  /** The tenant of the chosen interface, if it has one. */
  readonly tenant?: string;
  /** What to say. */
  readonly message: Message;
  /** Options of this send. */
  readonly configuration?: SendMessageConfiguration;
  /** Anything the caller attaches. */
  readonly metadata?: JsonObject;
}

/** Asks for one task as it is now: parameters of GetTask. */
export interface GetTaskRequest {
  /** The tenant of the chosen interface, if it has one. */
  readonly tenant?: string;
  /** The task. */
  readonly id: string;
  /** How many of the newest messages to return: 0 for none, absent for the server's choice. */
  readonly historyLength?: number;
}

/** Asks for a page of tasks that fit all filters given: parameters of ListTasks. */
export interface ListTasksRequest {
  /** The tenant of the chosen interface, if it has one. */
  readonly tenant?: string;
  /** Only tasks of this conversation. */
  readonly contextId?: string;
  /** Only tasks in this state. */
  readonly status?: TaskState;
  /** From 1 to 100; 50 when absent. */
  readonly pageSize?: number;
  /** nextPageToken of the page before. */
  readonly pageToken?: string;
  /** How many of the newest messages to return with each task. */
  readonly historyLength?: number;
  /** Only tasks whose status is from this moment or later. */
  readonly statusTimestampAfter?: string;
  /** True returns artifacts too. */
  readonly includeArtifacts?: boolean;
}

/** A page of tasks, newest first; all members are always there. */
export interface ListTasksResponse {
  /** The page, newest status first. */
  readonly tasks: readonly Task[];
  /** Empty when no page follows. */
  readonly nextPageToken: string;
  /** The page size that was used. */
  readonly pageSize: number;
  /** How many tasks match on all pages. */
  readonly totalSize: number;
}

/** Asks to stop a task: parameters of CancelTask. */
export interface CancelTaskRequest {
  /** The tenant of the chosen interface, if it has one. */
  readonly tenant?: string;
  /** The task. */
  readonly id: string;
  /** Anything the caller attaches. */
  readonly metadata?: JsonObject;
}

/** Asks for one webhook of a task. */
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

/** Asks to follow a task that goes on: parameters of SubscribeToTask. */
export interface SubscribeToTaskRequest {
  /** The tenant of the chosen interface, if it has one. */
  readonly tenant?: string;
  /** The task. */
  readonly id: string;
}

/** Asks for the webhooks of a task. */
export interface ListTaskPushNotificationConfigsRequest {
  /** The tenant of the chosen interface, if it has one. */
  readonly tenant?: string;
  /** The task. */
  readonly taskId: string;
  /** 0 or absent leaves it to the server. */
  readonly pageSize?: number;
  /** nextPageToken of the page before. */
  readonly pageToken?: string;
}

/** Asks for the fuller card that authenticated callers may see. */
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
  /** The task as it stands. */
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
  /** Empty when no page follows. */
  readonly nextPageToken?: string;
}

/** Nothing but success. */
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
