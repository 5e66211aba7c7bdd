/** Selects the interface of a card to call, and the fallbacks. */
import { originOf } from '../platform/origin.js';
import { withoutTrailingSlashes } from '../platform/trailing-slashes.js';
import { A2AIncompatibleProtocolVersionError, A2AInvalidCardError } from '../protocol/errors.js';
import type { AgentCard, AgentInterface } from '../protocol/types.js';
import type { BindingName } from './options.js';
import { isOfV03 } from './versioned-call.js';

/** The names of the bindings on cards. */
export const BINDINGS: Readonly<Record<BindingName, string>> = { jsonrpc: 'JSONRPC', rest: 'HTTP+JSON', grpc: 'GRPC' };

/** Options of `selectInterface`: the bindings that the client supports, and a preferred one. */
export interface SelectOptions {
  /** The binding to use. It must be on the card. Default: the order of the card. */
  readonly prefer?: BindingName | undefined;
  /** The address of the agent. An interface at exactly this address is preferred. Default: no address is preferred. */
  readonly url?: string | undefined;
  /** Bindings that the client supports, as cards spell them. */
  readonly speaks: readonly string[];
  /** Whether the client may call an address. Default: every address. */
  readonly mayCall?: ((url: string) => boolean) | undefined;
  /** Use interfaces of A2A 0.3 after those of 1.0. Default: only those of 1.0. */
  readonly older?: boolean | undefined;
}

/** The interface to use, and those to try if it fails. */
export interface Selection {
  /** The same object as on the card. */
  readonly chosen: AgentInterface;
  /** The other usable interfaces, those of 1.0 first, in the order of the card, at most seven. */
  readonly fallbacks: readonly AgentInterface[];
}

/**
 * Selects the preferred binding, else the interface at the agent's own address, else the first supported one of the card. Throws
 * A2AInvalidCardError if there is none, and A2AIncompatibleProtocolVersionError if only the versions do not match.
 */
export function selectInterface(card: AgentCard, { prefer, url, speaks, mayCall = () => true, older = false }: SelectOptions): Selection {
  const where = `The card of ${card.name} (${url ?? card.supportedInterfaces[0]?.url ?? 'no address'})`;
  const spoken = card.supportedInterfaces.filter(({ protocolBinding }) => speaks.some((name) => isSame(name, protocolBinding)));
  if (spoken.length === 0) throw new A2AInvalidCardError(`${where} has no interface that this client supports: ${listOf(card)}`);
  const wanted = prefer === undefined ? spoken : spoken.filter((at) => isSame(at.protocolBinding, BINDINGS[prefer]));
  if (prefer !== undefined && wanted.length === 0)
    throw new A2AInvalidCardError(`${where} has no ${BINDINGS[prefer]} interface: ${listOf(card)}`);
  const usable = wanted.filter(hasUsableUrl);
  if (usable.length === 0)
    throw new A2AInvalidCardError(`${where} has no interface with an absolute URL free of credentials: ${listOf(card)}`);
  const isCallable = (at: AgentInterface): boolean => mayCall(at.url);
  const reachable = usable.filter(isCallable);
  if (reachable.length === 0) throw elsewhere(where, usable);
  const chosen = pick(reachable.filter(hasSpokenVersion), url) ?? (older ? pick(reachable.filter(isOfV03), url) : undefined);
  if (chosen === undefined) throw tooOld(pick(reachable, url));
  const others = spoken.filter((at) => at !== chosen && isCallable(at));
  return { chosen, fallbacks: fallbacksOf([...others.filter(hasSpokenVersion), ...(older ? others.filter(isOfV03) : [])]) };
}

/**
 * Returns the address of the interface that `selectInterface` would choose on any host, or undefined if there is none. A card that the caller
 * passed belongs to this host: addresses before it may be of bindings that the client does not support.
 */
export function homeOf(
  { supportedInterfaces }: AgentCard,
  { prefer, speaks }: Pick<SelectOptions, 'prefer' | 'speaks'>,
): string | undefined {
  const names = prefer === undefined ? speaks : speaks.filter((name) => isSame(name, BINDINGS[prefer]));
  const usable = supportedInterfaces.filter((at) => names.some((name) => isSame(name, at.protocolBinding)) && hasUsableUrl(at));
  return (usable.find(hasSpokenVersion) ?? usable.find(isOfV03) ?? usable[0])?.url;
}

function elsewhere(where: string, usable: readonly AgentInterface[]): A2AInvalidCardError {
  const origins = [...new Set(usable.map(({ url }) => originOf(url).slice(0, 200)))].slice(0, 5);
  const them = origins.length === 1 ? 'that origin' : 'those that you trust';
  return new A2AInvalidCardError(
    `${where} has no interface on its own host, only on ${origins.join(', ')}: add ${them} to allowOrigins to call the agent there`,
  );
}

// A card with thousands of dead addresses must not make the client try each of them on every call.
const MAX_INTERFACES = 8;

function fallbacksOf(others: readonly AgentInterface[]): readonly AgentInterface[] {
  return others.filter(hasUsableUrl).slice(0, MAX_INTERFACES - 1);
}

function pick(list: readonly AgentInterface[], url: string | undefined): AgentInterface | undefined {
  return list.find((at) => url !== undefined && isSameUrl(at.url, url)) ?? list[0];
}

/**
 * Only the major version counts: a minor version only adds features. An unreadable version is accepted; the peer will refuse it if needed.
 */
function hasSpokenVersion({ protocolVersion }: AgentInterface): boolean {
  const major = /^\s*v?(\d+)(?:\.\d+)*\s*$/i.exec(protocolVersion ?? '')?.[1];
  return major === undefined || Number(major) === 1;
}

/** A relative URL cannot be called. A URL with a user would send a name that the author of the card chose as the identity of the caller. */
function hasUsableUrl({ url, protocolBinding }: AgentInterface): boolean {
  if (![BINDINGS.jsonrpc, BINDINGS.rest].some((name) => isSame(name, protocolBinding))) return url.trim() !== '' && !url.includes('@');
  if (!URL.canParse(url)) return false;
  const { protocol, username, password } = new URL(url);
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === '';
}

function tooOld(at: AgentInterface | undefined): A2AIncompatibleProtocolVersionError {
  const { url = '', protocolBinding: binding = '', protocolVersion: version = '' } = at ?? {};
  return new A2AIncompatibleProtocolVersionError({ url, binding, version });
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function isSameUrl(one: string, other: string): boolean {
  return plain(one) === plain(other);
}

function plain(url: string): string {
  return withoutTrailingSlashes(URL.canParse(url) ? new URL(url).href : url);
}

/** Shortened for error messages: cards may be long and are untrusted. */
function listOf(card: AgentCard): string {
  const list = card.supportedInterfaces
    .slice(0, 5)
    .map(({ protocolBinding, url }) => `${protocolBinding.slice(0, 40)} at ${url.slice(0, 200)}`);
  return list.join(', ');
}
