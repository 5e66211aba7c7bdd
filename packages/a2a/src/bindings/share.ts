/** The share of the limits that a request counts against: its caller, or the address of an anonymous caller. */
import { ANONYMOUS, type Caller } from '../server/call.js';
import { COMMON_SHARE, type Share, shareOfCaller } from '../server/limits/share-counter.js';
import type { WireRequest } from '../wire/http.js';

export interface ShareOptions {
  /** true: the last address in X-Forwarded-For is the client. false: the header is ignored. undefined: a proxy may have sent the request. */
  readonly trustProxy: boolean | undefined;
  /** Called for each anonymous request that a proxy forwarded although `trustProxy` is not set. */
  onUntrustedProxy(): void;
  readonly known: KnownShares;
}

const MAX_KNOWN = 1_000;

/** The shares of recent callers and addresses: a new key for every request would be hashed for every counter. */
export class KnownShares {
  readonly #callers = new Map<string, Share>();
  readonly #addresses = new Map<string, Share>();

  ofCaller(id: string): Share {
    return this.#callers.get(id) ?? remember(this.#callers, id, shareOfCaller(id));
  }

  ofAddress(address: string): Share {
    return this.#addresses.get(address) ?? remember(this.#addresses, address, shareOfAddress(address));
  }
}

function remember(shares: Map<string, Share>, key: string, share: Share): Share {
  if (shares.size >= MAX_KNOWN) shares.clear();
  shares.set(key, share);
  return share;
}

/** The client's address is unknown behind a proxy, so that one address may stand for this many callers. */
const PROXY_FACTOR = 10;

export function shareOf(request: WireRequest, caller: Caller, options: ShareOptions): Share {
  if (caller.id !== ANONYMOUS.id) return options.known.ofCaller(caller.id);
  const forwarded = request.header('x-forwarded-for');
  if (options.trustProxy === true && forwarded !== undefined) return shareOfAddress(lastOf(forwarded));
  const { address } = request;
  if (address === undefined) return COMMON_SHARE;
  if (options.trustProxy === false || forwarded === undefined) return options.known.ofAddress(address);
  options.onUntrustedProxy();
  return shareOfAddress(address, PROXY_FACTOR);
}

const shareOfAddress = (address: string, factor = 1): Share => ({ key: `address ${network(address)}`, factor });

/** The trusted proxy appended the last value; a client can send the ones before it itself. Some proxies add the port of the client. */
function lastOf(forwarded: string): string {
  const last = forwarded.slice(forwarded.lastIndexOf(',') + 1).trim();
  if (last.startsWith('[')) return last.slice(1, last.indexOf(']'));
  const colon = last.indexOf(':');
  return colon >= 0 && colon === last.lastIndexOf(':') ? last.slice(0, colon) : last;
}

/** One client of an IPv6 network usually has all addresses of a /64, so these count as one address. */
function network(address: string): string {
  const mapped = address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;
  if (!mapped.includes(':')) return mapped;
  return firstGroups(mapped.split('%', 1)[0] ?? '');
}

/** The first four groups of an IPv6 address, with `::` written out. */
function firstGroups(address: string): string {
  const [head = '', tail] = address.split('::', 2);
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
