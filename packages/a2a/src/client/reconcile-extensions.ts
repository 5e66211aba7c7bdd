/** What the caller asks for and what the agent demands have to fit before anything is sent. */
import { A2AExtensionError } from '../protocol/errors.js';
import { LOG_EXTENSION_URI } from '../protocol/extensions.js';
import type { AgentCard } from '../protocol/types.js';

const NONE: readonly never[] = [];
// What this client knows by itself and asks for wherever it is on the card.
const NATIVE: readonly string[] = [LOG_EXTENSION_URI];

/**
 * The URIs to ask for: the requested ones and what the client knows by itself. Throws A2AExtensionError when one is not on the card, and when
 * the card requires one that is neither.
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
  throw new A2AExtensionError(missing, `${card.name} requires the extension ${missing.join(', ')}; ask for it with the option extensions`);
}
