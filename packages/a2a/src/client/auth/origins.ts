/** Decides which addresses may receive credentials. The card is untrusted input: an address on it is not trusted for that reason alone. */
import { originOf, readAddress } from '../../platform/origin.js';
import { A2AError } from '../../protocol/errors.js';
import type { AgentInterface } from '../../protocol/types.js';

export interface OriginRule {
  /** True if credentials for the agent at `home` may be sent to `url`. */
  trusts(home: string, url: string): boolean;
}

/** Trusts the agent's own origin, the same host on another port unless that drops TLS, and the given origins. */
export function originRule(trustedOrigins: readonly string[] = []): OriginRule {
  const named = new Set(trustedOrigins.map(parseOrigin));
  return {
    trusts(home, url) {
      const from = readAddress(home);
      const to = readAddress(url, from?.protocol);
      if (to === undefined) return false;
      if (named.has(to.origin)) return true;
      if (from === undefined || !isSameHost(from.hostname, to.hostname)) return false;
      return from.protocol === to.protocol || (from.protocol === 'http:' && to.protocol === 'https:');
    },
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
  if (from === undefined || to === undefined) return false;
  return from.protocol === to.protocol && from.port === to.port && isSameHost(from.hostname, to.hostname);
}

/** The loopback host has several names, and development agents often put a different one on their card than the caller uses. */
function isSameHost(one: string, other: string): boolean {
  return one === other || (isLoopback(one) && isLoopback(other));
}

function parseOrigin(text: string): string {
  const parsed = text.includes('://') ? readAddress(text) : undefined;
  const extra = parsed && (parsed.pathname !== '/' || parsed.search !== '' || parsed.hash !== '' || parsed.username !== '');
  if (parsed && !extra) return parsed.origin;
  throw new A2AError('INVALID_PARAMS', 'trustedOrigins must contain origins such as https://agent.example.com, without a path');
}
