// The names that each entry point exports, values and types. A name that is added, moved or removed is a decision, and is made here.
// Each name has a sentence that a user can act on, each option states its default, and the most used names have an example;
// scripts/check-docs.mjs compiles the examples. One file, because both read the types of the whole library.
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
      CloseOptions CompatOptions ContextAbilities ContextName ContextRequest ConversationQuery DelegationScope EarlierMessage EarlierText ErrorContext EventBus
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
      HistoryInput HistoryResult Input LogFields Logger Peer PlainEndpoint Question ReconnectOptions Reply RetryEvent RetryOptions Run RunOptions
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
      NamedCall ObjectRpcError ReadErrorOptions ResilienceTools RetryWithActivationOptions RpcError RpcErrorOptions
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

/** The names that most users need first: `entry name`, or `entry name.member`. */
const WITH_EXAMPLE = [
  '. isA2AError',
  './security bearer',
  './server createAgent',
  './server RequestContext.requireInput',
  './server TaskEvents.appendText',
  './server memoryStore',
  './client createClient',
  './client Client.run',
  './client Client.send',
  './client bearerToken',
  './conversation createConversation',
  './coordinator createCoordinator',
  './node listen',
  './fetch fetchHandler',
  './express expressHandler',
  './react useConversation',
  './react ConversationProvider',
  './sqlite sqlite',
  './postgres postgres',
  './redis redis',
  './testing createTestFetch',
  './testing manualClock',
];

/** "Default 3.", "The default is that of …", "it has no default". */
const DEFAULT = /\bdefaults?\b/i;

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

test.each(Object.keys(exports))('D39: each name of %s has a sentence in its JSDoc', (entry) => {
  const lacking = [...namesOf(entry)].filter(([, symbol]) => !hasSentence(docOf(symbol)));
  expect(lacking.map(([name, symbol]) => `${placeOf(symbol)} ${name}`)).toEqual([]);
});

test.each(Object.keys(exports))('D39: each option of %s has a sentence in its JSDoc', (entry) => {
  const lacking = optionsOf(entry).filter(({ member }) => !hasSentence(docOf(member)));
  expect(lacking.map(({ name }) => name)).toEqual([]);
});

test.each(Object.keys(exports))('D39: each optional option of %s states its default', (entry) => {
  const lacking = optionsOf(entry).filter(({ member }) => member.flags & ts.SymbolFlags.Optional && !DEFAULT.test(docOf(member)));
  expect(lacking.map(({ name }) => name)).toEqual([]);
});

test.each(WITH_EXAMPLE)('D39: %s has an example', (path) => {
  const [entry = '', name = '', member] = path.split(/[ .](?=\w)/);
  const symbol = namesOf(entry).get(name);
  const target = member === undefined ? symbol : symbol?.members?.get(ts.escapeLeadingUnderscores(member));
  const examples = target?.getJsDocTags(checker).filter((tag) => tag.name === 'example') ?? [];
  expect(examples.map(({ text }) => ts.displayPartsToString(text))).toContainEqual(expect.stringMatching(/^```tsx?\n[\s\S]+\n```$/));
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

function namesOf(entry: string): ReadonlyMap<string, ts.Symbol> {
  return modules.get(entry) ?? new Map();
}

/** The members of the exported types whose name ends in `Options` or `Limits`, inherited ones included. */
function optionsOf(entry: string): { readonly name: string; readonly member: ts.Symbol }[] {
  return [...namesOf(entry)].flatMap(([name, symbol]) =>
    /(Options|Limits)$/.test(name)
      ? [...membersOf(symbol)].map((member) => ({ name: `${placeOf(member)} ${name}.${member.name}`, member }))
      : [],
  );
}

/** Read from the declarations: without the libraries, the checker does not resolve `Partial`, `Pick` and `Omit`. */
function membersOf(symbol: ts.Symbol): ReadonlySet<ts.Symbol> {
  return new Set((symbol.declarations ?? []).filter(isOwn).flatMap(membersIn));
}

function membersIn(node: ts.Node): ts.Symbol[] {
  if (ts.isInterfaceDeclaration(node)) {
    return [...node.members.flatMap(symbolOf), ...(node.heritageClauses ?? []).flatMap(({ types }) => types.flatMap(membersIn))];
  }
  if (ts.isTypeLiteralNode(node)) return node.members.flatMap(symbolOf);
  if (ts.isTypeAliasDeclaration(node)) return membersIn(node.type);
  if (ts.isParenthesizedTypeNode(node)) return membersIn(node.type);
  if (ts.isUnionTypeNode(node) || ts.isIntersectionTypeNode(node)) return node.types.flatMap(membersIn);
  if (ts.isExpressionWithTypeArguments(node)) return referencedBy(node.expression, node.typeArguments);
  return ts.isTypeReferenceNode(node) ? referencedBy(node.typeName, node.typeArguments) : [];
}

/** The members of the named type, or of the argument of a utility type such as `Omit`. */
function referencedBy(name: ts.Node, args: readonly ts.Node[] = []): ts.Symbol[] {
  const found = checker.getSymbolAtLocation(name);
  const symbol = found && follow(found, checker);
  return symbol?.declarations?.some(isOwn) ? [...membersOf(symbol)] : args.flatMap(membersIn);
}

function symbolOf({ name }: ts.TypeElement): ts.Symbol[] {
  const symbol = name && checker.getSymbolAtLocation(name);
  return symbol === undefined ? [] : [symbol];
}

function isOwn(node: ts.Node): boolean {
  return node.getSourceFile().fileName.startsWith(source);
}

function docOf(symbol: ts.Symbol): string {
  return ts.displayPartsToString(symbol.getDocumentationComment(checker)).replaceAll(/\s+/g, ' ').trim();
}

/** Whether the first sentence ends with a period and has at least three words. */
function hasSentence(doc: string): boolean {
  const [sentence = ''] = /^.*?\.(?=\s|$)/.exec(doc) ?? [];
  return sentence.split(' ').length >= 3;
}

function placeOf(symbol: ts.Symbol): string {
  const [declaration] = symbol.declarations ?? [];
  const file = declaration?.getSourceFile();
  if (declaration === undefined || file === undefined) return '';
  return `${file.fileName.replace(source, '')}:${file.getLineAndCharacterOfPosition(declaration.getStart()).line + 1}`;
}
