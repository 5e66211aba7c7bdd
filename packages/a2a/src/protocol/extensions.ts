/** Extensions are inactive until a request names their URI. */
import { A2AError } from './errors.js';
import type { AgentExtension } from './types.js';

/** The HTTP header that names the requested and the activated extensions. */
export const EXTENSIONS_HEADER = 'A2A-Extensions';

/** The extension of our servers: resuming streams by event id, and idempotent sends. */
export const LOG_EXTENSION_URI = 'urn:parley:a2a:log:v1';

/** The URIs of one or several headers, without duplicates, in the order of first occurrence. */
export function parseExtensions(header: string | readonly string[] | undefined): readonly string[] {
  if (header === undefined) return [];
  const values = typeof header === 'string' ? [header] : header;
  const uris = values.flatMap((value) => value.split(',')).map((uri) => uri.trim());
  return [...new Set(uris)].filter((uri) => uri !== '');
}

/**
 * The declared extensions that this request activates. Unknown URIs are ignored; a missing required extension is
 * EXTENSION_SUPPORT_REQUIRED.
 */
export function negotiate(declared: readonly AgentExtension[] | undefined, requested: readonly string[]): readonly string[] {
  const missing: string[] = [];
  for (const { uri = '', required } of declared ?? []) if (required === true && !requested.includes(uri)) missing.push(uri);
  if (missing.length > 0) throw missingExtensions(missing);
  if (requested.length === 0) return requested;
  return requested.filter((uri) => declared?.some((extension) => (extension.uri ?? '') === uri));
}

function missingExtensions(uris: readonly string[]): A2AError {
  const list = uris.join(', ');
  return new A2AError('EXTENSION_SUPPORT_REQUIRED', `This agent requires an extension; add the header "${EXTENSIONS_HEADER}: ${list}"`, {
    metadata: { requiredExtensions: list },
  });
}
