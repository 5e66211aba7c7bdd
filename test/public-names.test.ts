// The names that each entry point exports, values and types. A name that is added, moved or removed is a decision, and is made here.
import ts from 'typescript';
import { expect, test } from 'vitest';
import { checker, exports, follow, modules, source } from './entry-symbols.js';

interface Names {
  readonly values: string;
  readonly types: string;
}

/** Sorted by character code, separated by spaces. */
const NAMES: Readonly<Record<string, Names>> = {
  '.': {
    values: `
      A2AActivationTimeoutError A2ACardSignatureError A2ACircuitOpenError A2AClientToolsNotSupportedError A2AError A2AExtensionError
      A2AIncompatibleProtocolVersionError A2AInputRequiredError A2AInputTimeoutError A2AInvalidCardError A2AReconnectError
      A2ATaskAuthRequiredError A2ATaskCanceledError A2ATaskFailedError A2ATaskRejectedError A2ATaskTerminalError A2ATransportError
      ERRORS TASK_STATES isA2AError isActive isInterrupted isTerminal isTerminalError isTransportError readFailure toA2AError
      wrapDownstreamError
    `,
    types: `
      A2AErrorOptions AgentCapabilities AgentCard AgentCardSignature AgentExtension AgentInterface AgentProvider AgentSkill Artifact
      AuthenticationInfo BadRequest ChainDetail Clock ErrorDetail ErrorInfo ErrorKind ErrorLink ErrorReason Failure FieldViolation
      GetTaskRequest GrpcStatus Hop JsonObject JsonValue ListTasksRequest ListTasksResponse Message NestedLink OtherDetail Part
      RetryInfo Role SecurityRequirement SecurityScheme SendMessageConfiguration SendMessageRequest SendMessageResponse StreamResponse
      Task TaskArtifactUpdateEvent TaskPushNotificationConfig TaskState TaskStatus TaskStatusUpdateEvent TimeoutPhase
      TransportErrorOptions TransportKind
    `,
  },
  './security': {
    values: 'allOf apiKey bearer http mtls oauth2 oidc withScopes',
    types: `
      APIKeySecurityScheme AllOfSchemes AuthorizationCodeOAuthFlow ClientCredentialsOAuthFlow DeviceCodeOAuthFlow
      HTTPAuthSecurityScheme ImplicitOAuthFlow MutualTlsSecurityScheme NamedScheme OAuth2SecurityScheme OAuthFlows
      OpenIdConnectSecurityScheme PasswordOAuthFlow SchemeOptions Security SecurityRequirement SecurityScheme StringList
    `,
  },
  './protocol': {
    values: `
      EXTENSIONS_HEADER FAILURE_KEY LOG_EXTENSION_URI METHODS NESTING_LIMIT PROTOCOL_VERSION VERSION_HEADER applyEvent buildCard
      checkVersion createDraft fromTaskText isMethodName isValid negotiate parseAs parseExtensions parseVersion reasonOfCode taskJson
      toTaskText
    `,
    types: `
      ApplyOptions ArtifactDraft CancelTaskRequest CardFacts CardOptions Clock DeleteTaskPushNotificationConfigRequest Empty ErrorRow
      FindFaults GetExtendedAgentCardRequest GetTaskPushNotificationConfigRequest HttpVerb ListTaskPushNotificationConfigsRequest
      ListTaskPushNotificationConfigsResponse LogExtension MessageTypes MethodCapability MethodName MethodRow RequestOf ResponseOf
      RestRoute StringList SubscribeToTaskRequest TaskDraft TaskEvent TaskJsonOptions TaskText TimerOptions
    `,
  },
  './server': {
    values: `
      CLIENT_TOOLS clientTools contextBuilder contextUpdate createAgent createRequestContext memoryBus memoryStore readContextUpdate
      toolResults
    `,
    types: `
      Agent AgentExecutor AgentOptions AgentTasks Answer ArtifactInput ArtifactNames Authenticate BuildContext Call Caller ClientTools
      CloseOptions ContextAbilities ContextName ContextRequest ConversationQuery DelegationScope EarlierMessage EarlierText ErrorContext EventBus
      Execute FileInput Handle HistoryEvent HistoryInput HistoryResult HostRequest Interceptor Limits LoadTask LogFields Logger
      MemoryStoreOptions Pieces QuestionOptions Readiness Reply RequestContext RequestContextBuilder RunningTask StandardResult
      StandardSchema TaskEvents TaskName TaskStore ToolCall ToolRequest ToolResult ToolSchema WireRequest
    `,
  },
  './server/advanced': {
    values: '',
    types: `
      ArtifactText BegunRequest ClaimedTask CommitResult ContextRef Entry EntryKind EventBus Frame Heartbeat HeartbeatOptions IdGenerators
      InboxRow ListQuery Move ReadEnd Reading RequestKey RequestState Retention Scope Sink Snapshot SnapshotWrite StoredEntry StoredTask
      TaskHead TaskPage TaskPosition TaskRef TaskStore TaskWrite
    `,
  },
  './client': {
    values: `
      apiKey basicAuth bearerToken cachedToken checkConnectivity chooseCredentials connect contextUpdate createClient credentialsFor
      kedaActivation readContextUpdate timeouts toHistoryPart
    `,
    types: `
      ActivationOptions ApiKeyOptions AuthMaterial AuthRequest BackoffOptions BindingName BreakerOptions CacheOptions
      CachedCredentials CallOptions Client ClientCall ClientConversation ClientInterceptor ClientMethod ClientOptions ClientReply
      ClientTool ConnectivityOptions Credentials DeclaredScheme DelegationScope EventStream FinishReason HeaderSource HistoryEvent
      HistoryInput HistoryResult Input LogFields Logger Peer Question ReconnectOptions Reply RetryEvent RetryOptions Run RunOptions
      RunPlace Send SendOptions StreamedEvent TimeoutPolicy Timeouts Token TokenSource ToolCall Update WatchOptions
    `,
  },
  './client/advanced': {
    values: `
      activationOf backoffForAttempt callWithActivation createBreakers createCoolDowns fetchExchange idempotencyKey isRetriableError
      isRetriableStatus jsonRpc readHttpFailure readRestError readRpcError rest retryWithActivation selectInterface toJsonRpcError
      toStreamEvent
    `,
    types: `
      AbortSource ActivationOptions ActivationTools AgentHealth BreakerOptions Breakers CallWithActivationOptions Client ClientCall
      ClientInterceptor ClientReply CoolDownOptions CoolDowns Exchange FetchExchangeOptions HttpFailure HttpRequest HttpResponse
      LegacyCodes NamedCall ObjectRpcError ReadErrorOptions ResilienceTools RetryWithActivationOptions RpcError RpcErrorOptions
      SelectOptions Selection SendProgress StreamEvent TimeoutPolicy Timeouts Transport TransportTools
    `,
  },
  './conversation': {
    values: 'createConversation createThreads indexedDb memoryStorage soloTabs webStorage webTabs',
    types: `
      AgentMessage Client Connection Conversation ConversationEvent ConversationMessage ConversationOptions ConversationState
      ConversationStorage ExportedConversation HistoryAdapter IdbFactory IndexedDbOptions Input MessageStatus PendingQuestion
      PlainError PlainStatus PlainUpdate TabChannel TabLocks TabMember TabSeat Tabs ThreadSummary Threads ThreadsOptions ThreadsState
      TurnOptions UserMessage WebStorage WebTabsOptions
    `,
  },
  './coordinator': {
    values: 'createCoordinator waitForAll waitForFirst waitForQuorum',
    types: `
      AgentHealth AgentSource Coordinator CoordinatorOptions DelegateOptions DoneOutcome FailedOutcome FanOutOptions FanOutResult
      Input JoinPolicy Outcome SkippedOutcome Target
    `,
  },
  './oauth': {
    values: 'clientCredentials deviceCode',
    types: `
      ClientCredentialsOptions Credentials DeviceCodeOptions DeviceCodePrompt OAuthOptions OAuthPrivateKey
    `,
  },
  './node': {
    values: 'closeOnSignals listen nodeHandler pooled',
    types: `
      Agent Closable CloseOptions CorsOptions HandlerOptions ListenOptions Listening NodeHandler OwnRoute Pool PoolOptions
      SignalOptions WireReply WireRequest WireStream
    `,
  },
  './fetch': {
    values: 'fetchHandler',
    types: 'Agent CorsOptions HandlerOptions OwnRoute',
  },
  './express': {
    values: 'expressHandler',
    types: 'Agent CorsOptions ExpressRequest ExpressResponse HandlerOptions OwnRoute',
  },
  './hono': {
    values: 'honoHandler',
    types: 'Agent CorsOptions HandlerOptions OwnRoute',
  },
  './react': {
    values: `
      ConversationProvider useAgentCard useArtifacts useConversation useConversationEvents useConversationState useMessages
      useQuestion useTask useTaskList useThreads
    `,
    types: `
      Client Conversation ConversationEventsOptions ConversationMessage ConversationProviderProps ConversationState IsEqual
      LiveConversation LiveTaskList LiveThreads LoggedEvent PendingQuestion TaskFilter Threads
    `,
  },
  './assistant-ui': {
    values: `
      A2AClient A2AError A2A_PROTOCOL_VERSION a2aMessageToContent a2aPartToContent a2aPartsToContent contentPartsToA2AParts
      isInterruptedTaskState isTerminalTaskState taskStateToMessageStatus useA2AAgentCard useA2AArtifacts useA2ARuntime useA2ATask
      useConversationRuntime
    `,
    types: `
      A2AAgentCapabilities A2AAgentCard A2AAgentCardSignature A2AAgentInterface A2AAgentSkill A2AApiKeySecurityScheme A2AArtifact
      A2AAuthenticationInfo A2AAuthorizationCodeOAuthFlow A2AClientCredentialsOAuthFlow A2AClientOptions A2ADeviceCodeOAuthFlow
      A2AErrorInfo A2AHttpAuthSecurityScheme A2AImplicitOAuthFlow A2AListTaskPushNotificationConfigsResponse A2AListTasksRequest
      A2AListTasksResponse A2AMessage A2AMutualTlsSecurityScheme A2AOAuth2SecurityScheme A2AOAuthFlows A2AOpenIdConnectSecurityScheme
      A2APart A2APasswordOAuthFlow A2ARole A2ARunConfig A2ASecurityRequirement A2ASecurityScheme A2ASendMessageConfiguration
      A2AStreamEvent A2ATask A2ATaskArtifactUpdateEvent A2ATaskPushNotificationConfig A2ATaskState A2ATaskStatus
      A2ATaskStatusUpdateEvent Conversation ConversationRuntimeOptions ParleyOptions UseA2ARuntimeOptions UseA2AThreadListAdapter
    `,
  },
  './sqlite': {
    values: 'sqlite',
    types: 'SqliteOptions SqliteStore TaskStore',
  },
  './postgres': {
    values: 'postgres',
    types: 'EventBus PostgresOptions PostgresStore TaskStore',
  },
  './redis': {
    values: 'redis',
    types: 'EventBus RedisBusOptions',
  },
  './testing': {
    values: `
      busContract createTestFetch failingStore fakeBrowser faultFetch faultProxy faultServer manualClock pickFreePort scriptedExecutor
      seededRandom sequentialIds storageContract storeContract withFaults
    `,
    types: `
      Agent BusCheck CommitFault CreateBusEnds CreateStorage CreateStore FailingStore FakeBrowser FakeBrowserOptions FakeTab
      FaultPeerOptions FaultPlan FaultPosition FaultProxy FaultProxyOptions FaultScript FaultServer IdGenerators ManualClock MoreSteps
      NetworkFault NetworkPlan PhaseDelays RecordedOperation RecordedRequest ScriptStep ScriptedEvent ScriptedExecutor
      ScriptedResponse ScriptedResponses StorageCheck StoreCheck TaskStore TestFetch TestFetchOptions WebHandler
    `,
  },
};

test('D39: every entry point has its list of names', () => {
  expect(Object.keys(NAMES)).toEqual(Object.keys(exports));
});

test.each(Object.entries(NAMES))('D39: %s exports exactly the names that are listed', (entry, names) => {
  const symbols = [...(modules.get(entry) ?? [])];
  const named = (isListed: (symbol: ts.Symbol) => boolean) => symbols.flatMap(([name, symbol]) => (isListed(symbol) ? [name] : [])).sort();
  expect({ values: named(isValue), types: named((symbol) => !isValue(symbol)) }).toEqual({
    values: listed(names.values),
    types: listed(names.types),
  });
});

// `/assistant-ui` has the names of another package, which leaves the types of its signatures without names.
test.each(Object.keys(NAMES).filter((entry) => entry !== './assistant-ui'))(
  'D39: a type in the signature of a value of %s is exported there or by the root',
  (entry) => {
    const own = modules.get(entry) ?? new Map<string, ts.Symbol>();
    const reachable = new Set([...own.values(), ...(modules.get('.')?.values() ?? [])]);
    const missing = [...own].flatMap(([name, symbol]) =>
      typesIn(symbol).flatMap((type) => (reachable.has(type) ? [] : [`${name}: ${type.name}`])),
    );
    expect([...new Set(missing)]).toEqual([]);
  },
);

test('D39: the root has no name that shadows one of CommonJS', () => {
  expect(['require', 'module', 'exports'].filter((name) => modules.get('.')?.has(name))).toEqual([]);
});

function isValue({ flags }: ts.Symbol): boolean {
  return (flags & ts.SymbolFlags.Value) !== 0;
}

function listed(names: string): string[] {
  return names.split(/\s+/).filter((name) => name !== '');
}

/** The library's own types that the signature of a function, a constant or a class names. */
function typesIn(symbol: ts.Symbol): ts.Symbol[] {
  if (!isValue(symbol)) return [];
  return (symbol.declarations ?? []).flatMap((declaration) => signatureOf(declaration).flatMap(referencesIn));
}

/** The nodes of a declaration that a user sees: its types, and not what is computed. */
function signatureOf(node: ts.Node): ts.Node[] {
  if (ts.isVariableDeclaration(node)) return node.type ? [node.type] : node.initializer ? signatureOf(node.initializer) : [];
  if (ts.isClassDeclaration(node)) return node.members.filter(isPublic).flatMap(signatureOf);
  if (ts.isPropertyDeclaration(node)) return node.type ? [node.type] : [];
  if (!ts.isFunctionLike(node)) return [];
  return [...(node.typeParameters ?? []), ...node.parameters.flatMap(({ type }) => type ?? []), ...(node.type ? [node.type] : [])];
}

function isPublic({ name }: ts.ClassElement): boolean {
  return name === undefined || !ts.isPrivateIdentifier(name);
}

function referencesIn(node: ts.Node): ts.Symbol[] {
  const inside: ts.Symbol[] = [];
  ts.forEachChild(node, (child) => {
    inside.push(...referencesIn(child));
  });
  if (!ts.isTypeReferenceNode(node)) return inside;
  const found = checker.getSymbolAtLocation(node.typeName);
  const symbol = found && follow(found, checker);
  const isOwn = symbol?.declarations?.some((declaration) => declaration.getSourceFile().fileName.startsWith(source)) ?? false;
  return symbol === undefined || !isOwn || symbol.flags & ts.SymbolFlags.TypeParameter ? inside : [symbol, ...inside];
}
