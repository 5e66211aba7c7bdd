/** The options of a provider that creates its own conversation, and the rule which changes need a new one. */
import type { Client } from '../client/client.js';
import type { ConversationOptions, HistoryAdapter } from '../client/conversation/options.js';
import { toHeaders } from '../client/headers.js';
import type { ClientOptions, HeaderSource } from '../client/options.js';
import type { ClientTool } from '../client/tools/client-tool.js';
import { A2AError } from '../protocol/errors.js';
import { valueKey } from './value-key.js';

export interface OwnConversationOptions extends ConversationOptions {
  /** The client of the agent. The provider does not close it. */
  readonly client?: Client;
  /** The URL of the agent, instead of a client. The provider creates a client for it and closes it with the conversation. */
  readonly url?: string | URL;
  /** Options of the client for `url`. */
  readonly clientOptions?: ClientOptions;
}

/** Returns the options of the last render. */
export type Latest = () => OwnConversationOptions;

/** Options that are not plain data. A new object on a later render is ignored, except for headers, which are read for each request. */
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
  if (url !== undefined) throw new A2AError('INVALID_PARAMS', 'client and url were both given: pass only one of them');
  if (clientOptions !== undefined)
    throw new A2AError('INVALID_PARAMS', 'clientOptions have no effect together with client: pass them to createClient instead');
}

/** The key stays the same while the options have equal values. */
export function keyOfOptions({ url, clientOptions = {}, run = {}, ...options }: OwnConversationOptions): string {
  const address = url !== undefined && URL.canParse(String(url)) ? new URL(url).href : url;
  const tools = run.tools?.map(({ name, description, parameters }) => ({ name, description, parameters }));
  return valueKey([address, without(options, NO_DATA), without(run, NO_DATA), tools, without(clientOptions, NO_CLIENT_DATA)]);
}

/** Options for the client of `url`. */
export function toClientOptions(first: ClientOptions = {}, latest: Latest): ClientOptions {
  const headersNow = (): HeaderSource => latest().clientOptions?.headers ?? {};
  // Fixed headers are checked now; the headers of a function are checked when a request reads them.
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
 * The same options with functions that call the one of the last render, so that their closures are never outdated. They are called without
 * `this`, because a browser's `fetch` throws if it is called as a method of another object.
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
  // Each wrapper has the name and type of the function that it calls.
  return Object.fromEntries(live) as T;
}

function without<T extends object>(value: T, names: readonly string[]): Partial<T> {
  // A subset of the entries.
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name))) as Partial<T>;
}
