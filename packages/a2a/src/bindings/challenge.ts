/** The `WWW-Authenticate` header for callers without credentials, from the security schemes of the card. */
import { toCardSecurity } from '../protocol/security.js';
import type { SecurityScheme } from '../protocol/types.js';
import type { Agent } from '../server/agent.js';

/** `Bearer` if the card declares no scheme, because a 401 must name at least one. */
export function challengeOf(agent: Agent): string {
  const { security } = agent.settings.card;
  const schemes = security === undefined ? {} : (toCardSecurity(security).securitySchemes ?? {});
  const names = new Set(Object.values(schemes).flatMap((scheme) => schemeName(scheme) ?? []));
  return names.size === 0 ? 'Bearer' : [...names].join(', ');
}

function schemeName({
  httpAuthSecurityScheme,
  oauth2SecurityScheme,
  openIdConnectSecurityScheme,
  apiKeySecurityScheme,
}: SecurityScheme): string | undefined {
  if (httpAuthSecurityScheme) return httpAuthSecurityScheme.scheme;
  if (oauth2SecurityScheme || openIdConnectSecurityScheme) return 'Bearer';
  if (apiKeySecurityScheme) return 'ApiKey';
  return undefined; // TLS asks for a certificate, not a header
}
