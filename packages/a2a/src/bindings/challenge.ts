/** What a caller without credentials is told to bring: the schemes of the card, in the words of `WWW-Authenticate`. */
import { toCardSecurity } from '../protocol/security.js';
import type { SecurityScheme } from '../protocol/types.js';
import type { Agent } from '../server/agent.js';

/** `Bearer` where the card declares nothing: a 401 has to name at least one scheme. */
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
  return undefined; // a certificate is asked for by TLS, not by a header
}
