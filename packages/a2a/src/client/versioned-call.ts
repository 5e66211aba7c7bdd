/** A call with the protocol version in which it is sent. */

import type { A2AError } from '../protocol/errors.js';
import type { AgentInterface } from '../protocol/types.js';
import { isV03, parseVersion } from '../protocol/version.js';
import type { ClientCall, ClientReply } from './call.js';
import type { Transport } from './transports/transport.js';

/** false: only 1.0; true: 0.3 too; 'plain': only the plain dialect, whose agents have no card. */
export type CompatMode = boolean | 'plain';

export type SpokenVersion = '1.0' | '0.3' | 'plain';

export interface VersionedCall {
  readonly call: ClientCall;
  readonly at: AgentInterface;
  /** For the binding of the interface, in 1.0. */
  readonly transport: Transport;
  /** Chosen when the call is sent: other calls may learn another version meanwhile. */
  readonly version: SpokenVersion;
}

export type SendVersioned = (call: VersionedCall) => Promise<ClientReply>;

/** Whether the agent may have refused a call because of its version, so that it should be sent in the other one. */
export type RefusesVersion = (call: VersionedCall, error: A2AError) => boolean;

/**
 * Whether an interface is of A2A 0.3. One without a version is of 1.0. Cards that name 0.2 are of agents whose libraries speak 0.3: its
 * messages have the same form.
 */
export function isOfV03({ protocolVersion = '' }: Pick<AgentInterface, 'protocolVersion'>): boolean {
  const version = protocolVersion.trim() === '' ? undefined : parseVersion(protocolVersion);
  return version === '0.2' || isV03(version);
}

/** Whether both versions have the binding of the interface. */
export function isHttp({ protocolBinding }: AgentInterface): boolean {
  return /^(?:jsonrpc|http\+json)$/i.test(protocolBinding);
}

const CHANGED = { '1.0': new WeakMap<AgentInterface, AgentInterface>(), '0.3': new WeakMap<AgentInterface, AgentInterface>() };

/**
 * The interface in the version of the call, if that is not the one on the card: the same object each time, because transports remember facts
 * of an interface.
 */
export function inVersion(at: AgentInterface, version: '1.0' | '0.3'): AgentInterface {
  // A version that is missing counts as 1.0 on a card, and must be named for a call in 0.3.
  const isDeclared = version === '1.0' ? !isOfV03(at) : isOfV03(at) && parseVersion(at.protocolVersion) === version;
  if (isDeclared) return at;
  const changed = CHANGED[version].get(at) ?? { ...at, protocolVersion: version };
  CHANGED[version].set(at, changed);
  return changed;
}
