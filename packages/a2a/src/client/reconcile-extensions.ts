/** Checks, before anything is sent, that the requested extensions and those that the agent requires match. */
import { A2AExtensionError } from '../protocol/errors.js';
import { LOG_EXTENSION_URI } from '../protocol/extensions.js';
import type { AgentCard } from '../protocol/types.js';

const NONE: readonly never[] = [];
// Extensions that this client implements and requests whenever the card offers them.
const NATIVE: readonly string[] = [LOG_EXTENSION_URI];

/**
 * Returns the URIs to request: the requested ones and those that the client implements. Throws A2AExtensionError if one is not on the card,
 * or if the card requires one that is neither requested nor implemented.
 */
export function reconcileExtensions(card: AgentCard, requested: readonly string[]): readonly string[] {
  const declared = card.capabilities.extensions ?? NONE;
  if (declared.length === 0 && requested.length === 0) return NONE;
  const offered = declared.map(({ uri }) => uri ?? '');
  const unknown = requested.filter((uri) => !offered.includes(uri));
  if (unknown.length > 0) throw new A2AExtensionError(unknown, `${card.name} does not offer the extension ${unknown.join(', ')}`);
  const asked = [...new Set([...requested, ...NATIVE.filter((uri) => offered.includes(uri))])];
  const missing = declared.flatMap(({ uri = '', required }) => (required === true && !asked.includes(uri) ? [uri] : []));
  if (missing.length === 0) return asked;
  throw new A2AExtensionError(missing, `${card.name} requires the extension ${missing.join(', ')}; request it with the option extensions`);
}
