/** The card for callers of both versions: the members of 0.3 beside those of 1.0. No name has two meanings. */
import type { Members } from '../../protocol/is-object.js';
import type { AgentCard, AgentInterface, AgentSkill, OAuthFlows, SecurityRequirement, SecurityScheme } from '../../protocol/types.js';
import { V03 } from './methods.js';
import { given } from './parts.js';

/** With a patch number: some clients of 0.3 compare the text. */
const CARD_VERSION = '0.3.0';

/**
 * Adds the members of 0.3. Our bindings serve 0.3 at the addresses of 1.0, except for tenants; interfaces of 1.0 stay first. Signatures are of
 * another card.
 */
export function toSupersetCard({ signatures: _, ...card }: AgentCard): Members {
  const isOld = ({ protocolVersion }: AgentInterface): boolean => protocolVersion?.startsWith('0.') === true;
  const current = card.supportedInterfaces.filter((at) => !isOld(at));
  const declared = card.supportedInterfaces.filter(isOld);
  const isDeclared = (at: AgentInterface): boolean =>
    declared.some(({ url, protocolBinding }) => url === at.url && protocolBinding === at.protocolBinding);
  const served = current.filter((at) => isServed(at) && !isDeclared(at));
  const old = [...declared, ...served.map(({ url, protocolBinding }) => ({ url, protocolBinding, protocolVersion: V03 }))];
  const { securitySchemes, securityRequirements, capabilities } = card;
  return {
    ...card,
    supportedInterfaces: [...current, ...old],
    ...given({ url: old[0]?.url, preferredTransport: old[0]?.protocolBinding }),
    additionalInterfaces: old.map(({ url, protocolBinding: transport }) => ({ url, transport })),
    protocolVersion: CARD_VERSION,
    supportsAuthenticatedExtendedCard: capabilities.extendedAgentCard === true,
    skills: card.skills.map(withSecurity),
    ...(securitySchemes && { securitySchemes: mapValues(securitySchemes, toSupersetScheme) }),
    ...(securityRequirements && { security: securityRequirements.map(toNames) }),
  };
}

function isServed({ protocolBinding, tenant = '' }: AgentInterface): boolean {
  return tenant === '' && (protocolBinding === 'JSONRPC' || protocolBinding === 'HTTP+JSON');
}

/** The extended card in ProtoJSON, in which requirements have a wrapper. A client refuses a scheme without a flow that it knows. */
export function toProtoCard(card: AgentCard): Members {
  const { securitySchemes = {}, securityRequirements } = card;
  const known = Object.entries(securitySchemes).filter(([, { oauth2SecurityScheme: oauth2 }]) => !isForDevicesOnly(oauth2?.flows));
  return {
    ...toSupersetCard({ ...card, ...(card.securitySchemes && { securitySchemes: Object.fromEntries(known) }) }),
    skills: card.skills.map((skill) => ({ ...skill, ...given({ security: skill.securityRequirements }) })),
    ...given({ security: securityRequirements }),
  };
}

function isForDevicesOnly(flows: OAuthFlows | undefined): boolean {
  return flows?.deviceCode !== undefined && Object.values(flows).filter((flow) => flow !== undefined).length === 1;
}

function withSecurity(skill: AgentSkill): Members {
  const { securityRequirements } = skill;
  return securityRequirements === undefined ? { ...skill } : { ...skill, security: securityRequirements.map(toNames) };
}

/** Scopes by scheme name. */
function toNames({ schemes = {} }: SecurityRequirement): Members {
  return mapValues(schemes, ({ list = [] }) => list);
}

/** The form of OpenAPI beside the variant. */
function toSupersetScheme(scheme: SecurityScheme): Members {
  const { apiKeySecurityScheme: key, httpAuthSecurityScheme: http, oauth2SecurityScheme: oauth2 } = scheme;
  const { openIdConnectSecurityScheme: oidc, mtlsSecurityScheme: mtls } = scheme;
  if (key) return { ...scheme, type: 'apiKey', in: key.location, name: key.name, ...given({ description: key.description }) };
  if (http) return { ...scheme, type: 'http', ...http };
  if (oauth2) return { ...scheme, type: 'oauth2', ...oauth2, flows: toFlows(oauth2.flows) };
  if (oidc) return { ...scheme, type: 'openIdConnect', ...oidc };
  return { ...scheme, type: 'mutualTLS', ...mtls };
}

/**
 * Flows for devices and the flag for PKCE have no place in 0.3. It requires addresses and scopes, which the deprecated flows of 1.0 may lack:
 * one invalid flow would make the whole card invalid.
 */
function toFlows({ authorizationCode, clientCredentials, implicit, password }: OAuthFlows): Members {
  const { pkceRequired: _, ...code } = authorizationCode ?? {};
  return given({
    authorizationCode: authorizationCode && code,
    clientCredentials,
    implicit: implicit?.authorizationUrl === undefined ? undefined : { scopes: {}, ...implicit },
    password: password?.tokenUrl === undefined ? undefined : { scopes: {}, ...password },
  });
}

function mapValues<T>(record: Readonly<Record<string, T>>, map: (value: T) => unknown): Members {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}
