/** What a provider that makes its own conversation is told, and what of it counts as a change. */
import type { Client } from '../client/client.js';
import type { ConversationOptions, HistoryAdapter } from '../client/conversation/options.js';
import { toHeaders } from '../client/headers.js';
import type { ClientOptions, HeaderSource } from '../client/options.js';
import type { ClientTool } from '../client/tools/client-tool.js';
import { A2AError } from '../protocol/errors.js';
import { valueKey } from './value-key.js';

export interface OwnConversationOptions extends ConversationOptions {
  /** Whose agent to talk to; whoever made it closes it. */
  readonly client?: Client;
  /** Instead of a client: the agent's address. A client is made for it, and closed with the conversation. */
  readonly url?: string | URL;
  /** How the client for `url` behaves. */
  readonly clientOptions?: ClientOptions;
}

/** Reads what the last render gave. */
export type Latest = () => OwnConversationOptions;

/** What is no data: it is taken as it was first given, however often it is written anew. Headers are read for each request. */
const NO_DATA = ['storage', 'tabs', 'history', 'clock', 'client', 'headers', 'tools'] as const;
const NO_CLIENT_DATA = [
  'headers',
  'credentials',
  'contexts',
  'coolDowns',
  'logger',
  'exchange',
  'transports',
  'interceptors',
  'clock',
] as const;

export function checkOwnOptions({ client, url, clientOptions }: OwnConversationOptions): void {
  if (client === undefined && url === undefined)
    throw new A2AError('INVALID_PARAMS', '<ConversationProvider> needs a conversation, a client, or the url of an agent');
  if (client === undefined) return;
  if (url !== undefined) throw new A2AError('INVALID_PARAMS', 'client and url were both given: a conversation is with one agent');
  if (clientOptions !== undefined) throw new A2AError('INVALID_PARAMS', 'clientOptions have no effect on a client that exists already');
}

/** The same as long as the options say the same. */
export function keyOfOptions({ url, clientOptions = {}, run = {}, ...options }: OwnConversationOptions): string {
  const address = url !== undefined && URL.canParse(String(url)) ? new URL(url).href : url;
  const tools = run.tools?.map(({ name, description, parameters }) => ({ name, description, parameters }));
  return valueKey([address, without(options, NO_DATA), without(run, NO_DATA), tools, without(clientOptions, NO_CLIENT_DATA)]);
}

/** For the client of `url`. */
export function toClientOptions(first: ClientOptions = {}, latest: Latest): ClientOptions {
  const headersNow = (): HeaderSource => latest().clientOptions?.headers ?? {};
  // A function's headers are checked when they are asked for; those that are there already at once.
  if (typeof first.headers !== 'function') toHeaders(first.headers);
  return {
    ...withLiveFunctions(first, () => latest().clientOptions),
    headers: async () => {
      const headers = headersNow();
      return typeof headers === 'function' ? headers() : headers;
    },
  };
}

export function toConversationOptions(first: OwnConversationOptions, latest: Latest): ConversationOptions {
  const { client: _client, url: _url, clientOptions: _clientOptions, ...options } = first;
  const { history, run } = options;
  return {
    ...withLiveFunctions(options, latest),
    ...(history !== undefined && { history: liveHistory(history, latest) }),
    run: withLiveRun(run ?? {}, latest),
    onError: (error) => latest().onError?.(error),
    onCancel: () => latest().onCancel?.(),
    onArtifactComplete: (artifact) => latest().onArtifactComplete?.(artifact),
  };
}

type RunDefaults = NonNullable<ConversationOptions['run']>;

function withLiveRun(first: RunDefaults, latest: Latest): RunDefaults {
  const tools = first.tools?.map((tool) => liveTool(tool, latest));
  return {
    ...first,
    ...(tools !== undefined && { tools }),
    get headers() {
      return latest().run?.headers;
    },
  };
}

function liveTool(first: ClientTool, latest: Latest): ClientTool {
  const { name, description, parameters } = first;
  const now = (): ClientTool => latest().run?.tools?.find((tool) => tool.name === name) ?? first;
  return { name, description, parameters, execute: (input, options) => now().execute(input, options) };
}

function liveHistory(first: HistoryAdapter, latest: Latest): HistoryAdapter {
  const now = (): HistoryAdapter => latest().history ?? first;
  return { load: () => now().load(), append: (item) => now().append(item) };
}

/**
 * The same options, whose functions are those of the last render: what they close over is never old. They are called on their own: the `fetch`
 * of a browser refuses to be called as part of something else.
 */
function withLiveFunctions<T extends object>(first: T, latest: () => T | undefined): T {
  const live = Object.entries(first).map(([name, value]: [string, unknown]) => {
    if (typeof value !== 'function') return [name, value];
    return [
      name,
      (...args: unknown[]): unknown => {
        const now: unknown = Reflect.get(latest() ?? first, name);
        return Reflect.apply(typeof now === 'function' ? now : value, undefined, args);
      },
    ];
  });
  // Each function in it calls one of the same name and type.
  return Object.fromEntries(live) as T;
}

function without<T extends object>(value: T, names: readonly string[]): Partial<T> {
  // Fewer of its own entries.
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name))) as Partial<T>;
}
