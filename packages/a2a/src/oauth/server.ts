/** Finds the authorization server of a request: the one in the options, or the one that the card declares. */
import type * as oauth from 'oauth4webapi';
import type { AuthRequest, DeclaredScheme } from '../client/auth/credentials.js';
import { findScheme } from '../client/auth/declared.js';
import { isSameOrigin } from '../client/auth/origins.js';
import { originOf } from '../platform/origin.js';
import { singleFlight } from '../platform/single-flight.js';
import { A2AError } from '../protocol/errors.js';
import type { SecurityScheme } from '../protocol/types.js';
import { checkedUrl } from './address.js';
import { toOAuthError } from './failure.js';
import { httpOptions } from './http.js';
import type { OAuthSettings } from './options.js';

const OIDC_PATH = '/.well-known/openid-configuration';

/** The endpoints that a card declares for a flow. */
export interface DeclaredEndpoints {
  readonly tokenUrl: string;
  readonly deviceAuthorizationUrl?: string;
}

export interface ServerFinder {
  /** Returns undefined if the options name no server and the card, if there is one, declares none. */
  find(request: AuthRequest): Promise<FoundServer | undefined>;
}

interface FoundServer {
  readonly server: oauth.AuthorizationServer;
  /** The scopes that the card requires. */
  readonly scopes: readonly string[] | undefined;
}

export interface ServerOptions extends OAuthSettings {
  readonly deviceAuthorizationUrl?: string | undefined;
  /** Returns the endpoints of the flow, if the scheme has that flow. */
  readonly flowOf: (scheme: SecurityScheme) => DeclaredEndpoints | undefined;
  readonly fits: (scheme: SecurityScheme) => boolean;
}

export function serverFinder(options: ServerOptions): ServerFinder {
  const { issuer, tokenUrl, deviceAuthorizationUrl, flowOf } = options;
  const discover = discovery(options);
  const stay = onlyOneServer();
  const sendsSecret = options.clientSecret !== undefined || options.privateKey !== undefined;

  /** The agent writes its card and may write the discovery document, so both are checked before anything is sent to their addresses. */
  const check = (url: string, agent: string): void => {
    if (sendsSecret && !isSameOrigin(agent, url)) throw foreignServer(url, agent);
    stay(url);
  };
  const declaredBy = async ({ scheme }: DeclaredScheme, { url: agent, signal }: AuthRequest) => {
    const flow = flowOf(scheme);
    if (flow) return checkDeclared(checkEndpoints(asServer(flow.tokenUrl, flow), options), agent);
    const { openIdConnectUrl = '' } = scheme.openIdConnectSecurityScheme ?? {};
    if (!openIdConnectUrl.endsWith(OIDC_PATH)) return undefined;
    check(openIdConnectUrl, agent);
    const server = await discover(openIdConnectUrl.slice(0, -OIDC_PATH.length), signal);
    return sendsSecret ? checkDeclared(server, agent) : server;
  };
  // The secret is sent to both endpoints.
  const checkDeclared = (server: oauth.AuthorizationServer, agent: string): oauth.AuthorizationServer => {
    for (const url of [server.token_endpoint, server.device_authorization_endpoint]) if (url !== undefined) check(url, agent);
    return server;
  };

  return {
    async find(request) {
      const declared = request.scheme ?? findScheme(request.card, options.fits);
      const server =
        (tokenUrl && asServer(issuer ?? tokenUrl, { tokenUrl, ...(deviceAuthorizationUrl && { deviceAuthorizationUrl }) })) ||
        (issuer && (await discover(issuer, request.signal))) ||
        (declared && (await declaredBy(declared, request)));
      return server ? { server: checkEndpoints(server, options), scopes: declared?.scopes } : undefined;
    },
  };
}

function foreignServer(url: string, agent: string): A2AError {
  const text =
    `The card of the agent at ${originOf(agent)} names the authorization server ${originOf(url)}, which is on another origin. ` +
    'The client secret is not sent there: set issuer or tokenUrl if this server is correct';
  return new A2AError('INVALID_REQUEST', text);
}

/** One set of credentials belongs to one server: it only ever uses the first server that a card names. */
function onlyOneServer(): (url: string) => void {
  let first: string | undefined;
  return (url) => {
    const origin = originOf(url);
    first ??= origin;
    if (origin === first) return;
    const text = `A card names the authorization server ${origin}, but these credentials belong to ${first}: set issuer or tokenUrl to choose the server`;
    throw new A2AError('INVALID_REQUEST', text);
  };
}

function asServer(issuer: string, { tokenUrl, deviceAuthorizationUrl }: DeclaredEndpoints): oauth.AuthorizationServer {
  return { issuer, token_endpoint: tokenUrl, ...(deviceAuthorizationUrl && { device_authorization_endpoint: deviceAuthorizationUrl }) };
}

function checkEndpoints(server: oauth.AuthorizationServer, { allowInsecure }: OAuthSettings): oauth.AuthorizationServer {
  const { token_endpoint: token, device_authorization_endpoint: device } = server;
  const reason = 'AUTH_REQUIRED';
  if (token === undefined) throw new A2AError(reason, `The authorization server ${server.issuer} declares no token endpoint; set tokenUrl`);
  checkedUrl(token, { allowInsecure, reason, what: 'The token endpoint' });
  if (device !== undefined) checkedUrl(device, { allowInsecure, reason, what: 'The device authorization endpoint' });
  return server;
}

/** Fetches each discovery document once. A failure is not cached. */
function discovery(settings: OAuthSettings): (issuer: string, signal: AbortSignal | undefined) => Promise<oauth.AuthorizationServer> {
  const known = new Map<string, oauth.AuthorizationServer>();
  const flights = singleFlight<oauth.AuthorizationServer>();
  return async (issuer, signal) => {
    const url = checkedUrl(issuer, { allowInsecure: settings.allowInsecure, reason: 'AUTH_REQUIRED', what: 'The issuer' });
    const server = known.get(issuer) ?? (await flights.join(issuer, signal, (ending) => fetchDocument(url, settings, ending)));
    known.set(issuer, server);
    return server;
  };
}

/** Tries the OpenID Connect location first, then that of RFC 8414. */
async function fetchDocument(issuer: URL, settings: OAuthSettings, signal: AbortSignal): Promise<oauth.AuthorizationServer> {
  const library = await settings.library();
  const http = httpOptions(library, settings, signal);
  try {
    let response = await library.discoveryRequest(issuer, { ...http, algorithm: 'oidc' });
    if (response.status === 404) response = await library.discoveryRequest(issuer, { ...http, algorithm: 'oauth2' });
    return await library.processDiscoveryResponse(issuer, response);
  } catch (error) {
    throw toOAuthError(error, issuer.origin);
  }
}
