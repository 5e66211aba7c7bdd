/** Headers by which a caller is known. Set by hand they are credentials all the same, and go only where credentials may. */
import type { AgentCard } from '../../protocol/types.js';

const ALWAYS: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization']);

/** The first such header among these, by lower-case name: the well-known ones, and those that the card declares as places of a key. */
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
