/** Headers that the caller sets, and those among them that identify the caller. */
import type { AgentCard } from '../../protocol/types.js';

// The client sets them for a trace. They identify the call, not the caller.
const TRACING: ReadonlySet<string> = new Set(['traceparent', 'tracestate']);

/** Returns the first header of the caller. The names of secret headers are not known in general, so all are treated as secret. */
export function ownHeaderIn(headers: Readonly<Record<string, string>>): string | undefined {
  for (const name in headers) if (!TRACING.has(name)) return name;
  return undefined;
}

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
