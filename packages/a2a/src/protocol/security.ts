/** Functions to declare in the card how callers authenticate. They only declare; the server's `auth` checks credentials. */
import { A2AError } from './errors.js';
import type { AgentCard, OAuthFlows, SecurityRequirement, SecurityScheme } from './types.js';

/** A scheme, its key in the card, and the required scopes. */
export interface NamedScheme {
  readonly schemeName: string;
  readonly scheme: SecurityScheme;
  readonly scopes: readonly string[];
}

/** Schemes that are required together. */
export interface AllOfSchemes {
  readonly allOf: readonly NamedScheme[];
}

/** One scheme, several together, or a list of alternatives. */
export type Security = NamedScheme | AllOfSchemes | readonly (NamedScheme | AllOfSchemes)[];

/** Options of every scheme: its description, and its key in the card. */
export interface SchemeOptions {
  /** A description of the scheme for people. Default: none. */
  readonly description?: string;
  /** Key of the scheme in the card. Default: the name of the helper. */
  readonly schemeName?: string;
}

/**
 * Declares that callers send `Authorization: Bearer …`; `format` is a hint such as JWT. Your `auth` checks the token.
 *
 * @example
 * ```ts
 * import { bearer } from '@parley/a2a/security';
 * import { createAgent } from '@parley/a2a/server';
 *
 * const TOKENS = new Map([['secret-of-alice', 'alice']]);
 *
 * export const agent = createAgent({
 *   name: 'Echo',
 *   security: bearer({ format: 'opaque' }),
 *   auth: (request) => {
 *     const id = TOKENS.get(request.header('authorization')?.replace(/^Bearer /i, '') ?? '');
 *     return id === undefined ? undefined : { id };
 *   },
 *   execute: async (context) => context.text,
 * });
 * ```
 */
export function bearer(options: SchemeOptions & { readonly format?: string } = {}): NamedScheme {
  const { format, description } = options;
  return named('bearer', options, { httpAuthSecurityScheme: { scheme: 'Bearer', ...given({ bearerFormat: format, description }) } });
}

/** An `Authorization` header with another scheme, such as Basic. */
export function http(scheme: string, options: SchemeOptions = {}): NamedScheme {
  return named('http', options, { httpAuthSecurityScheme: { scheme, ...given({ description: options.description }) } });
}

/** A key in the header, query parameter or cookie `name`. */
export function apiKey(name: string, options: SchemeOptions & { readonly location?: 'header' | 'query' | 'cookie' } = {}): NamedScheme {
  const { location = 'header', description } = options;
  return named('apiKey', options, { apiKeySecurityScheme: { name, location, ...given({ description }) } });
}

/** OAuth 2.0 with exactly one flow; declare two schemes for two flows. */
export function oauth2(flows: OAuthFlows, options: SchemeOptions & { readonly metadataUrl?: string } = {}): NamedScheme {
  const { metadataUrl, description } = options;
  return named('oauth2', options, { oauth2SecurityScheme: { flows, ...given({ oauth2MetadataUrl: metadataUrl, description }) } });
}

/** OpenID Connect with its discovery document. */
export function oidc(openIdConnectUrl: string, options: SchemeOptions = {}): NamedScheme {
  return named('oidc', options, { openIdConnectSecurityScheme: { openIdConnectUrl, ...given({ description: options.description }) } });
}

/** A client certificate. */
export function mtls(options: SchemeOptions = {}): NamedScheme {
  return named('mtls', options, { mtlsSecurityScheme: given({ description: options.description }) });
}

/** Returns the same scheme with these required scopes. */
export function withScopes(scheme: NamedScheme, scopes: readonly string[]): NamedScheme {
  return { ...scheme, scopes: [...scopes] };
}

/** Requires all of these together. Without arguments: an alternative that requires nothing. */
export function allOf(...schemes: readonly NamedScheme[]): AllOfSchemes {
  return { allOf: schemes };
}

/** The two members of the card that declare it. */
export function toCardSecurity(security: Security): Pick<AgentCard, 'securitySchemes' | 'securityRequirements'> {
  const alternatives = isList(security) ? security : [security];
  const sets = alternatives.map((each) => ('allOf' in each ? each.allOf : [each]));
  return { securitySchemes: toSchemes(sets.flat()), securityRequirements: sets.map(toRequirement) };
}

function toSchemes(schemes: readonly NamedScheme[]): Readonly<Record<string, SecurityScheme>> {
  const byName = new Map<string, SecurityScheme>();
  for (const { schemeName, scheme } of schemes) {
    const known = byName.get(schemeName);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(scheme)) {
      throw new A2AError('INVALID_PARAMS', `Two different security schemes have the name ${schemeName}; set schemeName on one of them`);
    }
    byName.set(schemeName, scheme);
  }
  return Object.fromEntries(byName);
}

function toRequirement(schemes: readonly NamedScheme[]): SecurityRequirement {
  const scopes = new Map<string, Set<string>>();
  for (const each of schemes) scopes.set(each.schemeName, new Set([...(scopes.get(each.schemeName) ?? []), ...each.scopes]));
  return { schemes: Object.fromEntries([...scopes].map(([name, set]) => [name, { list: [...set] }])) };
}

function named(helper: string, options: SchemeOptions, scheme: SecurityScheme): NamedScheme {
  return { schemeName: options.schemeName ?? helper, scheme, scopes: [] };
}

/** Only members that have a value: the card has no empty members. */
function given<T extends object>(members: T): Partial<T> {
  // The result is a subset of the input.
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<T>;
}

function isList(security: Security): security is readonly (NamedScheme | AllOfSchemes)[] {
  return Array.isArray(security);
}
