/** Which addresses credentials may be sent to. A card is written by somebody else: that it names an address is no reason to trust it. */
import { originOf, readAddress } from '../../platform/origin.js';
import { A2AError } from '../../protocol/errors.js';
import type { AgentInterface } from '../../protocol/types.js';

export interface OriginRule {
  /** Whether credentials for the agent at `home` may go to `url`. */
  trusts(home: string, url: string): boolean;
}

/** The agent's own origin, the same host on another port unless that gives up TLS, and the origins that were named. */
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

/** Interfaces in their order, put together where they share an origin: material is asked for once per origin. */
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

/** This machine has several names, and agents in development seldom put the one on their card that they are called by. */
function isSameHost(one: string, other: string): boolean {
  return one === other || (isLoopback(one) && isLoopback(other));
}

function parseOrigin(text: string): string {
  const parsed = text.includes('://') ? readAddress(text) : undefined;
  const extra = parsed && (parsed.pathname !== '/' || parsed.search !== '' || parsed.hash !== '' || parsed.username !== '');
  if (parsed && !extra) return parsed.origin;
  throw new A2AError('INVALID_PARAMS', 'trustedOrigins takes origins such as https://agent.example.com, without a path');
}
