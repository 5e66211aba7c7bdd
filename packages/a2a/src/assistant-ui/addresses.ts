/** Chooses where requests go: to the given address, as react-a2a does, or to an interface of the card if that is better. */
import { isLoopback } from '../client/auth/origins.js';
import { selectInterface } from '../client/select-interface.js';
import { withoutTrailingSlashes } from '../platform/trailing-slashes.js';
import type { AgentCard, AgentInterface } from '../protocol/types.js';
import { A2A_PROTOCOL_VERSION } from './types.js';

const REST = 'HTTP+JSON';
const JSON_RPC = 'JSONRPC';

/** The address that the client was given. */
export interface Home {
  /** An absolute URL. */
  readonly url: string;
  /** With a leading slash and without a trailing one, or ''. */
  readonly basePath: string;
}

/** Normalizes a path such as `v1/`, to insert it between the address and the path of an operation. */
export function toBasePath(path: string | undefined): string {
  const inner = withoutTrailingSlashes(path ?? '').replace(/^\/+/, '');
  return inner === '' ? '' : `/${inner}`;
}

/**
 * The interfaces to call. A base path means HTTP+JSON below the address. Otherwise the card's interfaces on the same origin are used,
 * HTTP+JSON before JSON-RPC.
 *
 * A card without such an interface usually belongs to an agent behind a proxy that the card does not know: the agent is called with
 * HTTP+JSON at the address. But if the card offers only JSON-RPC on other origins, the agent is called there, if the client may call
 * that host.
 */
export function interfacesFor(card: AgentCard, home: Home): readonly AgentInterface[] {
  if (home.basePath !== '') return [atHome(home)];
  const usable = card.supportedInterfaces.filter((at) => isUsable(card, at));
  const near = byBinding(usable.filter(({ url }) => isNear(url, home.url)));
  if (near.rest.length > 0) return near.rest;
  if (near.rpc.length > 0) return near.rpc;
  const far = byBinding(usable);
  return far.rest.length === 0 && far.rpc.length > 0 ? far.rpc : [atHome(home)];
}

/** HTTP+JSON below the given address. */
export function atHome({ url, basePath }: Home): AgentInterface {
  const at = new URL(url);
  at.pathname = `${at.pathname.replace(/\/$/, '')}${basePath}`;
  return { url: at.href, protocolBinding: REST, protocolVersion: A2A_PROTOCOL_VERSION };
}

/** Whether Parley's client can use the interface: it supports the binding and version, and the URL is valid. */
function isUsable(card: AgentCard, at: AgentInterface): boolean {
  try {
    selectInterface({ ...card, supportedInterfaces: [at] }, { speaks: [REST, JSON_RPC], older: true });
    return true;
  } catch {
    return false;
  }
}

function byBinding(interfaces: readonly AgentInterface[]): { readonly rest: AgentInterface[]; readonly rpc: AgentInterface[] } {
  const of = (binding: string): AgentInterface[] => interfaces.filter((at) => at.protocolBinding.toUpperCase() === binding);
  return { rest: of(REST), rpc: of(JSON_RPC) };
}

/** Loopback names count as equal, because cards in development often name another one than the caller. */
function isNear(url: string, home: string): boolean {
  const [one, other] = [new URL(url), new URL(home)];
  if (one.origin === other.origin) return true;
  return one.protocol === other.protocol && one.port === other.port && isLoopback(one.hostname) && isLoopback(other.hostname);
}
