/** Where the drop-in sends its requests: to the address it was given, as the package does, or to what the card says where that is better. */
import { isLoopback } from '../client/auth/origins.js';
import { selectInterface } from '../client/select-interface.js';
import type { AgentCard, AgentInterface } from '../protocol/types.js';
import { A2A_PROTOCOL_VERSION } from './types.js';

const REST = 'HTTP+JSON';
const JSON_RPC = 'JSONRPC';

/** The address that the client was given. */
export interface Home {
  /** Absolute. */
  readonly url: string;
  /** With one slash in front and none behind, or ''. */
  readonly basePath: string;
}

/** A path such as `v1/` as it stands between the address and the path of an operation. */
export function toBasePath(path: string | undefined): string {
  const inner = (path ?? '').replace(/^\/+|\/+$/g, '');
  return inner === '' ? '' : `/${inner}`;
}

/**
 * The interfaces to call. A base path says where the operations are; so does a card that names none that can be used, by naming none. At home
 * HTTP+JSON goes before JSON-RPC. A card whose addresses are all elsewhere is most often an agent behind a proxy that the card does not know:
 * such an agent is called at home if it speaks HTTP+JSON.
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

/** HTTP+JSON below the address itself. */
export function atHome({ url, basePath }: Home): AgentInterface {
  const at = new URL(url);
  at.pathname = `${at.pathname.replace(/\/$/, '')}${basePath}`;
  return { url: at.href, protocolBinding: REST, protocolVersion: A2A_PROTOCOL_VERSION };
}

/** What Parley's client would use: a binding and a version that it speaks, at an address that leads somewhere. */
function isUsable(card: AgentCard, at: AgentInterface): boolean {
  try {
    selectInterface({ ...card, supportedInterfaces: [at] }, { speaks: [REST, JSON_RPC] });
    return true;
  } catch {
    return false;
  }
}

function byBinding(interfaces: readonly AgentInterface[]): { readonly rest: AgentInterface[]; readonly rpc: AgentInterface[] } {
  const of = (binding: string): AgentInterface[] => interfaces.filter((at) => at.protocolBinding.toUpperCase() === binding);
  return { rest: of(REST), rpc: of(JSON_RPC) };
}

/** This machine has several names, and cards in development seldom have the one that is called. */
function isNear(url: string, home: string): boolean {
  const [one, other] = [new URL(url), new URL(home)];
  if (one.origin === other.origin) return true;
  return one.protocol === other.protocol && one.port === other.port && isLoopback(one.hostname) && isLoopback(other.hostname);
}
