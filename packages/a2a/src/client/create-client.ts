/** Builds a client from its options. Every part is created once, here, and passed to its users. */
import { defaultExchange } from '#exchange';
import { readAddress } from '../platform/origin.js';
import { A2AError } from '../protocol/errors.js';
import type { AgentCard } from '../protocol/types.js';
import { authenticate } from './auth/authenticate.js';
import { type OriginRule, originRule } from './auth/origins.js';
import { type ClientInterceptor, composeSend, type Send } from './call.js';
import type { Client } from './client.js';
import { createCompat } from './compat.js';
import { type ClientCalling, createCalling } from './create-calling.js';
import { createCallMaker } from './make-call.js';
import { namePeer } from './name-peer.js';
import type { ClientOptions } from './options.js';
import { createPeerSource, createPublicCard, type Target } from './peer.js';
import { isPlainEndpoint, type PlainEndpoint, toPlainCard } from './plain-endpoint.js';
import { activation } from './resilience/activation.js';
import { circuitBreaker } from './resilience/circuit-breaker.js';
import { createCoolDowns } from './resilience/cool-down.js';
import { deadline } from './resilience/deadline.js';
import { logging } from './resilience/logging.js';
import { retry } from './resilience/retry.js';
import { withTimeouts } from './resilience/timeouts.js';
import { type ResolvedOptions, resolveOptions } from './resolve-options.js';
import { type InterfaceMemory, interfaceMemory, sendOverInterfaces } from './send-over-interfaces.js';
import { toTarget } from './target.js';
import { fetchExchange } from './transports/fetch-exchange.js';
import { jsonRpc } from './transports/jsonrpc.js';
import { rest } from './transports/rest.js';
import type { Transport } from './transports/transport.js';
import { createVerbs, type VerbParts } from './verbs.js';

/**
 * Creates a client for the agent at this address or with this card. Nothing is sent before the first call, which fetches the card unless
 * you passed one. Throws immediately if an option is invalid.
 *
 * @example
 * ```ts
 * import { createClient } from '@parley/a2a/client';
 *
 * const client = createClient('http://127.0.0.1:4000');
 * const { text } = await client.run('Plan a weekend in Lisbon').result;
 * console.log(text);
 * await client.close();
 * ```
 */
export function createClient(urlOrCard: string | URL | AgentCard | PlainEndpoint, options: ClientOptions = {}): Client {
  return assemble(urlOrCard, options, 'createClient').client;
}

/** Creates a client and fetches and checks the card. Problems that would fail the first call reject here. */
export async function connect(urlOrCard: string | URL | AgentCard | PlainEndpoint, options: ClientOptions = {}): Promise<Client> {
  const { client, calling } = assemble(urlOrCard, options, 'connect');
  await calling.ready();
  return client;
}

interface Assembly {
  readonly client: Client;
  readonly calling: ClientCalling;
}

function assemble(target: string | URL | AgentCard | PlainEndpoint, given: ClientOptions, caller: string): Assembly {
  const plain = isPlainEndpoint(target) ? toPlainCard(target) : undefined;
  const options: ResolvedOptions = { ...resolveOptions(given, caller), ...(plain && { compat: 'plain' }) };
  return assembleFor(toTarget(plain ?? (target as string | URL | AgentCard), options.cardPath), options);
}

function assembleFor(target: Target, options: ResolvedOptions): Assembly {
  const transports = options.transports ?? [jsonRpc(), rest()];
  const memory = interfaceMemory();
  const origins = originsOf(options, target);
  const calls = createCallMaker(composeSend(innermost(options, transports, memory), wrappers(options, origins)), options);
  const speaks = transports.map(({ binding }) => binding);
  const parts = { ...target, speaks, memory, options, origins, makeCall: calls.value };
  const publicCard = createPublicCard(parts);
  const { close, checkOpen } = closing(target.url);

  const withHeaders = (headers: Readonly<Record<string, string>>): Assembly => {
    const peers = createPeerSource(parts, publicCard, headers);
    const calling = createCalling({ options, peers, calls, headers, checkOpen });
    const further: VerbParts['withHeaders'] = (more) => withHeaders(more).client;
    return { calling, client: createVerbs({ url: target.url, calling, peers, headers, close, checkOpen, withHeaders: further }) };
  };
  return withHeaders({});
}

/** Closes nothing but the client: other clients may use the exchange, whether it was passed or is the pool of the process. */
function closing(url: string): Pick<VerbParts, 'close' | 'checkOpen'> {
  let isClosed = false;
  return {
    async close() {
      isClosed = true;
    },
    checkOpen() {
      if (isClosed) throw new A2AError('INVALID_REQUEST', `The client of ${url} was closed`);
    },
  };
}

/** The caller chose the address of the agent and that of the card, so both are allowed, also if `cardPath` is on another host. */
function originsOf({ allowOrigins = [], cardPath }: ResolvedOptions, { url, cardUrl }: Target): OriginRule {
  if (cardPath === undefined || !URL.canParse(cardPath)) return originRule(allowOrigins);
  const own = [url, cardUrl].map((address) => readAddress(address)?.origin);
  return originRule([...allowOrigins, ...own.filter((origin) => origin !== undefined)]);
}

/** The interceptors, outermost first. */
function wrappers(options: ResolvedOptions, origins: OriginRule): readonly ClientInterceptor[] {
  const { interceptors = [], credentials, coolDowns, settings: tools } = options;
  return [
    namePeer,
    ...interceptors,
    logging(tools),
    ...(options.breaker === false ? [] : [circuitBreaker(options.breaker ?? {}, tools)]),
    // Credentials and transports of users may hang; our own layers do not.
    deadline(tools, { guard: credentials !== undefined || options.transports !== undefined }),
    ...(options.activation ? [activation(options.activation, tools)] : []),
    ...(options.retry === false ? [] : [retry(options.retry ?? {}, tools)]),
    (coolDowns ?? createCoolDowns({}, tools)).interceptor,
    authenticate(credentials, origins),
  ];
}

/** The innermost send: the bindings, over an exchange that enforces the timeouts. */
function innermost(options: ResolvedOptions, transports: readonly Transport[], memory: InterfaceMemory): Send {
  const { fetch, fetchOptions, maxResponseBytes, skipBadFrames, settings, compat } = options;
  const { clock, logger } = settings;
  // `fetchOptions` apply only to `fetch`, so a caller that passes them gets `fetch`.
  const isFetch = fetch !== undefined || fetchOptions !== undefined;
  const exchange = withTimeouts(options.exchange ?? (isFetch ? fetchExchange({ fetch, fetchOptions }) : defaultExchange()), clock);
  const tools = { exchange, maxResponseBytes, skipBadFrames, now: () => clock.now() };
  return sendOverInterfaces({ transports, tools, compat: createCompat(tools, compat), memory, logger });
}
