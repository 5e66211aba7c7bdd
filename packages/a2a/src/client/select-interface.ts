/** Which of a card's interfaces to call, and which to fall back on. */
import { A2AIncompatibleProtocolVersionError, A2AInvalidCardError } from '../protocol/errors.js';
import type { AgentCard, AgentInterface } from '../protocol/types.js';
import type { BindingName } from './options.js';

/** What cards call the bindings. */
export const BINDINGS: Readonly<Record<BindingName, string>> = { jsonrpc: 'JSONRPC', rest: 'HTTP+JSON', grpc: 'GRPC' };

export interface SelectOptions {
  /** The binding to use; it must be on the card. */
  readonly prefer?: BindingName | undefined;
  /** The agent's address: an interface that is exactly there goes before the others. */
  readonly url?: string | undefined;
  /** Bindings that the client speaks, as cards write them. */
  readonly speaks: readonly string[];
}

export interface Selection {
  /** The very object of the card. */
  readonly chosen: AgentInterface;
  /** The rest that the client could use, in the card's order: seven at most. */
  readonly fallbacks: readonly AgentInterface[];
}

/**
 * The preferred binding, else the interface at the agent's own address, else the first of the card that the client speaks. Throws
 * A2AInvalidCardError when there is none, A2AIncompatibleProtocolVersionError when only their versions stand in the way.
 */
export function selectInterface(card: AgentCard, { prefer, url, speaks }: SelectOptions): Selection {
  const where = `The card of ${card.name} (${url ?? card.supportedInterfaces[0]?.url ?? 'no address'})`;
  const spoken = card.supportedInterfaces.filter(({ protocolBinding }) => speaks.some((name) => isSame(name, protocolBinding)));
  if (spoken.length === 0) throw new A2AInvalidCardError(`${where} has no interface that this client speaks: ${listOf(card)}`);
  const wanted = prefer === undefined ? spoken : spoken.filter((at) => isSame(at.protocolBinding, BINDINGS[prefer]));
  if (prefer !== undefined && wanted.length === 0)
    throw new A2AInvalidCardError(`${where} has no ${BINDINGS[prefer]} interface: ${listOf(card)}`);
  const reachable = wanted.filter(hasUsableUrl);
  if (reachable.length === 0)
    throw new A2AInvalidCardError(`${where} has no interface with an absolute URL free of credentials: ${listOf(card)}`);
  const chosen = pick(reachable.filter(hasSpokenVersion), url);
  if (chosen === undefined) throw tooOld(pick(reachable, url));
  return { chosen, fallbacks: fallbacksOf(chosen, spoken) };
}

// A card with thousands of dead addresses must not make a client knock at each, several times per call.
const MAX_INTERFACES = 8;

function fallbacksOf(chosen: AgentInterface, spoken: readonly AgentInterface[]): readonly AgentInterface[] {
  const usable = spoken.filter((at) => at !== chosen && hasUsableUrl(at) && hasSpokenVersion(at));
  return usable.slice(0, MAX_INTERFACES - 1);
}

function pick(list: readonly AgentInterface[], url: string | undefined): AgentInterface | undefined {
  return list.find((at) => url !== undefined && isSameUrl(at.url, url)) ?? list[0];
}

/** Only Major counts: a minor version adds. What can not be read is taken to be ours; the peer will say if it is not. */
function hasSpokenVersion({ protocolVersion }: AgentInterface): boolean {
  const major = /^\s*v?(\d+)(?:\.\d+)*\s*$/i.exec(protocolVersion ?? '')?.[1];
  return major === undefined || Number(major) === 1;
}

/** A relative URL has no place to go, and one with a user in it would send what the card's author wrote as the caller's name. */
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
  return (URL.canParse(url) ? new URL(url).href : url).replace(/\/+$/, '');
}

/** For error texts: cards may be long and are not ours. */
function listOf(card: AgentCard): string {
  const list = card.supportedInterfaces
    .slice(0, 5)
    .map(({ protocolBinding, url }) => `${protocolBinding.slice(0, 40)} at ${url.slice(0, 200)}`);
  return list.join(', ');
}
