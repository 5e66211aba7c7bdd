/** Agents of the plain dialect have no card: their address replaces it. */
import { checkOptions, type OptionRules } from '../platform/check-options.js';
import { anything, oneOf } from '../platform/option-rules.js';
import type { AgentCard } from '../protocol/types.js';
import { checkAddress } from './target.js';

/**
 * The address of an agent of the plain dialect, which is older than A2A 0.3: JSON-RPC without a card, parts with `type`, and eight error
 * codes of its own.
 */
export interface PlainEndpoint {
  /** The URL to which requests are posted. */
  readonly endpoint: string | URL;
  readonly dialect: 'plain';
}

const RULES: OptionRules<PlainEndpoint> = { endpoint: anything, dialect: oneOf('plain') };

/** Whether the value is meant as a PlainEndpoint. Throws INVALID_PARAMS if it is not a complete one. */
export function isPlainEndpoint(value: unknown): value is PlainEndpoint {
  if (typeof value !== 'object' || value === null || !('endpoint' in value) || 'supportedInterfaces' in value) return false;
  // A missing member is not checked, so that it must be present as null.
  checkOptions('createClient', { dialect: null, ...value }, RULES);
  return true;
}

/** Streaming is off, because such agents do not state it; the option `assumeStreaming` switches it on. */
export function toPlainCard({ endpoint }: PlainEndpoint): AgentCard {
  const url = checkAddress(String(endpoint));
  const card: Partial<AgentCard> = {
    name: new URL(url).host,
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' }],
  };
  return card as AgentCard; // the reader of cards adds the other members
}
