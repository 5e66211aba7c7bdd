/** Headers that identify the caller. Even if the caller sets them directly, they are credentials and go only to trusted origins. */
import type { AgentCard } from '../../protocol/types.js';

const ALWAYS: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization']);

/** Returns the lower-case name of the first secret header: a well-known one, or one that the card declares for an API key. */
export function secretHeaderIn(headers: Readonly<Record<string, string>>, card: AgentCard | undefined): string | undefined {
  const names = Object.keys(headers);
  if (names.length === 0) return undefined;
  const declared = keyHeadersOf(card);
  return names.find((name) => ALWAYS.has(name) || declared.includes(name));
}

function keyHeadersOf(card: AgentCard | undefined): readonly string[] {
  return Object.values(card?.securitySchemes ?? {}).flatMap(({ apiKeySecurityScheme: key }) =>
    key?.location?.toLowerCase() === 'header' ? [key.name.toLowerCase()] : [],
  );
}
