/** Routes each request to the card, a page or a binding; the last place that catches thrown values. */
import { A2AError } from '../protocol/errors.js';
import type { Agent } from '../server/agent.js';
import { ByteBudget } from '../server/limits/byte-budget.js';
import type { WireHandler, WireReply, WireRequest } from '../wire/http.js';
import { type Binding, type BindingRequest, requestIdOf } from './binding-request.js';
import { CARD_PATH, createCard, type ServeCard } from './card.js';
import { challengeOf } from './challenge.js';
import { createCompat, OLD_CARD_PATH } from './compat.js';
import { type Cors, createCors } from './cors.js';
import { createEventStreams } from './event-stream.js';
import { toFailure, wrongVerb } from './failure.js';
import { createJsonRpc } from './jsonrpc.js';
import { pageGuard } from './loopback-guard.js';
import { checkBasePath, checkPublicUrl, type HandlerOptions, type HostFacts, type OwnRoute } from './options.js';
import { probesOf } from './probes.js';
import { type AddressOptions, addressOf } from './public-url.js';
import { createRest } from './rest.js';
import type { Service } from './service.js';
import { KnownShares } from './share.js';

interface Site {
  readonly agent: Agent;
  readonly jsonRpc: Binding;
  readonly rest: Binding;
  readonly card: ServeCard;
  readonly cardPaths: readonly string[];
  readonly cors: Cors | undefined;
  readonly routes: readonly OwnRoute[];
  readonly address: AddressOptions;
  readonly allowHost: (host: string) => boolean;
  /** Refuses requests of foreign web pages; only on loopback. */
  readonly checkPage: ((request: WireRequest) => void) | undefined;
}

/** Serves one agent: card, pages of the host, JSON-RPC and HTTP+JSON. Every host calls the result in the same way; it never rejects. */
export function createHandler(agent: Agent, options: HandlerOptions = {}, facts: HostFacts = {}): WireHandler {
  const site = createSite(agent, options, facts);
  const { cors } = site;
  if (cors === undefined) return (request) => answer(site, request, requestIdOf(request));
  return async (request) => cors.open(request, await answer(site, request, requestIdOf(request)));
}

function createSite(agent: Agent, options: HandlerOptions, facts: HostFacts): Site {
  const { publicUrl, trustProxy, basePath = '', cors, routes = [], anonymousList = 'context' } = options;
  const compat = createCompat(agent);
  const service: Service = {
    agent,
    compat,
    streams: createEventStreams(agent),
    anonymousList,
    challenge: challengeOf(agent),
    shares: { trustProxy, onUntrustedProxy: warnOnce(agent), known: new KnownShares() },
    bytes: new ByteBudget({ perCaller: agent.settings.maxHeldBytesPerCaller, total: agent.settings.maxHeldBytes }),
  };
  const opened = cors && createCors(cors, agent.settings.card.security);
  return {
    agent,
    jsonRpc: createJsonRpc(service),
    rest: createRest(service),
    card: createCard(agent, compat),
    cardPaths: compat === undefined ? [CARD_PATH] : [CARD_PATH, OLD_CARD_PATH],
    cors: opened,
    routes: [...probesOf(agent), ...routes],
    address: {
      publicUrl: publicUrl === undefined ? undefined : checkPublicUrl(publicUrl),
      ownUrl: facts.ownUrl ?? (() => undefined),
      trustProxy: trustProxy ?? false,
      basePath: checkBasePath(basePath),
    },
    allowHost: facts.allowHost ?? (() => true),
    checkPage: facts.refusePages ? pageGuard(publicUrl, opened) : undefined,
  };
}

/** Otherwise every request would write the same line. */
function warnOnce({ settings }: Agent): () => void {
  let isTold = false;
  return () => {
    if (isTold) return;
    isTold = true;
    settings.logger.warn(
      {},
      'X-Forwarded-For arrived, but trustProxy is not set: anonymous callers are counted by the address of the proxy',
    );
  };
}

async function answer(site: Site, request: WireRequest, requestId: string): Promise<WireReply> {
  const path = below(site.address.basePath, request.path);
  const incoming: BindingRequest = { request, path: path ?? '/', requestId };
  const binding = path === '/' && request.method === 'POST' ? site.jsonRpc : site.rest;
  try {
    checkHost(site, request);
    site.checkPage?.(request);
    if (path === undefined) throw nothingHere();
    return site.cors?.preflight(request) ?? (await dispatch(site, incoming, binding));
  } catch (thrown) {
    return binding.refuse(incoming, toFailure(site.agent, thrown, { requestId }));
  }
}

/** The card and the host's pages come first, because `/{tenant}` would match their paths. */
function dispatch(site: Site, incoming: BindingRequest, binding: Binding): WireReply | Promise<WireReply> {
  const { request, path } = incoming;
  if (site.cardPaths.includes(path)) {
    if (isRead(request)) return site.card(incoming, addressOf(request, site.address));
    return site.rest.refuse(incoming, wrongVerb(['GET', 'HEAD']), { allow: 'GET, HEAD' });
  }
  const own = site.routes.find((route) => fits(route, request.method, path));
  if (own) return answerOwn(own, incoming);
  if (path.startsWith('/-/') || path.startsWith('/.well-known/')) throw nothingHere();
  if (path === '/' && request.method !== 'POST') return site.rest.refuse(incoming, onlyPost(site.address.basePath), { allow: 'POST' });
  return binding.answer(incoming);
}

async function answerOwn(route: OwnRoute, { request, requestId }: BindingRequest): Promise<WireReply> {
  const reply = await route.handle(request);
  return { ...reply, headers: { 'x-content-type-options': 'nosniff', ...reply.headers, 'x-request-id': requestId } };
}

/** The path below the base path; undefined when it is outside. */
function below(basePath: string, path: string): string | undefined {
  if (!path.startsWith(basePath)) return undefined;
  const rest = path.slice(basePath.length);
  if (rest === '') return '/';
  return rest.startsWith('/') ? rest : undefined;
}

function fits(route: OwnRoute, verb: string, path: string): boolean {
  const { method = 'GET' } = route;
  if (verb !== method && !(verb === 'HEAD' && method === 'GET')) return false;
  return route.path.endsWith('*') ? path.startsWith(route.path.slice(0, -1)) : path === route.path;
}

function isRead({ method }: WireRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

function checkHost({ allowHost }: Site, request: WireRequest): void {
  const host = request.header('host');
  if (host === undefined) return;
  if (host.includes(',')) throw new A2AError('INVALID_REQUEST', `The request must have one Host header, got ${JSON.stringify(host)}`);
  if (allowHost(host)) return;
  throw new A2AError('INVALID_REQUEST', `This server does not serve the host name ${host}; use localhost, or set publicUrl`, {
    httpStatus: 421,
  });
}

function nothingHere(): A2AError {
  return new A2AError('METHOD_NOT_FOUND', 'There is nothing at this path');
}

function onlyPost(basePath: string): A2AError {
  const text = `This is an A2A agent: POST JSON-RPC requests here; its card is at ${basePath}${CARD_PATH}`;
  return new A2AError('METHOD_NOT_FOUND', text, { httpStatus: 405 });
}
