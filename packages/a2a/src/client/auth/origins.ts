/**
 * Decides which addresses the client calls, and which receive what identifies the caller. The card is untrusted input: an address on it is
 * not trusted for that reason alone. It may name a service inside the network of the caller, or a server that collects secrets.
 */
import { originOf, readAddress } from '../../platform/origin.js';
import { A2AError } from '../../protocol/errors.js';
import type { AgentInterface } from '../../protocol/types.js';

/** `home` is the address of the card. */
export interface OriginRule {
  /** True if the client may call `url`: it is on the host of the card, with any port, or on a listed origin. */
  mayCall(home: string, url: string): boolean;
  /** True if credentials and the caller's headers may be sent to `url`: it has the origin of the card, or a listed origin. */
  trusts(home: string, url: string): boolean;
}

export function originRule(allowOrigins: readonly string[] = []): OriginRule {
  const listed = new Set(allowOrigins.map(parseOrigin));
  const isListed = (home: string, url: string): boolean => listed.has(readAddress(url, readAddress(home)?.protocol)?.origin ?? '');
  return {
    mayCall: (home, url) => isOnSameHost(home, url) || isListed(home, url),
    trusts: (home, url) => isSameOrigin(home, url) || isListed(home, url),
  };
}

/** Groups interfaces by origin and keeps their order, because material is requested once per origin. */
export function byOrigin(interfaces: readonly AgentInterface[]): readonly (readonly [AgentInterface, ...AgentInterface[]])[] {
  const groups = new Map<string, [AgentInterface, ...AgentInterface[]]>();
  for (const each of interfaces) {
    const key = originOf(each.url);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [each]);
    else group.push(each);
  }
  return [...groups.values()];
}

export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** True if both addresses have the same scheme, host and port. The names of the loopback host count as equal. */
export function isSameOrigin(home: string, url: string): boolean {
  const from = readAddress(home);
  const to = readAddress(url, from?.protocol);
  return isOnSameHost(home, url) && from?.protocol === to?.protocol && from?.port === to?.port;
}

function isOnSameHost(home: string, url: string): boolean {
  const from = readAddress(home)?.hostname;
  const to = readAddress(url)?.hostname;
  return from !== undefined && to !== undefined && isSameHost(from, to);
}

/** The loopback host has several names, and development agents often put a different one on their card than the caller uses. */
function isSameHost(one: string, other: string): boolean {
  return one === other || (isLoopback(one) && isLoopback(other));
}

function parseOrigin(text: string): string {
  const parsed = text.includes('://') ? readAddress(text) : undefined;
  const extra = parsed && (parsed.pathname !== '/' || parsed.search !== '' || parsed.hash !== '' || parsed.username !== '');
  if (parsed && !extra) return parsed.origin;
  throw new A2AError('INVALID_PARAMS', 'allowOrigins must contain origins such as https://agent.example.com, without a path');
}
