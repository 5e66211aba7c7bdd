/** The three grants that return tokens, and the conversion of their responses. */
import type * as oauth from 'oauth4webapi';
import type { Token } from '../client/auth/cached-token.js';
import { A2AError } from '../protocol/errors.js';
import { httpOptions } from './http.js';
import type { OAuthLibrary } from './library.js';
import type { OAuthSettings } from './options.js';

/** The context of one request to one server. */
export interface GrantContext {
  readonly settings: OAuthSettings;
  readonly server: oauth.AuthorizationServer;
  readonly scopes: readonly string[];
  readonly signal: AbortSignal;
}

export interface Granted extends Token {
  readonly refreshToken: string | undefined;
}

export async function grantClientCredentials(context: GrantContext): Promise<Granted> {
  const { server, settings } = context;
  const library = await settings.library();
  const client = clientOf(library, settings);
  const parameters = parametersOf(context);
  const response = await library.clientCredentialsGrantRequest(
    server,
    client,
    clientAuthOf(library, settings),
    parameters,
    http(library, context),
  );
  return toGranted(await library.processClientCredentialsResponse(server, client, response), settings);
}

export async function grantDeviceCode(context: GrantContext, deviceCode: string): Promise<Granted> {
  const { server, settings } = context;
  const library = await settings.library();
  const client = clientOf(library, settings);
  const response = await library.deviceCodeGrantRequest(
    server,
    client,
    clientAuthOf(library, settings),
    deviceCode,
    http(library, context),
  );
  return toGranted(await library.processDeviceCodeResponse(server, client, response), settings);
}

export async function grantRefresh(context: GrantContext, refreshToken: string): Promise<Granted> {
  const { server, settings } = context;
  const library = await settings.library();
  const client = clientOf(library, settings);
  const response = await library.refreshTokenGrantRequest(
    server,
    client,
    clientAuthOf(library, settings),
    refreshToken,
    http(library, context),
  );
  return toGranted(await library.processRefreshTokenResponse(server, client, response), settings);
}

export async function requestDeviceCode(context: GrantContext): Promise<oauth.DeviceAuthorizationResponse> {
  const { server, settings } = context;
  const library = await settings.library();
  const client = clientOf(library, settings);
  const response = await library.deviceAuthorizationRequest(
    server,
    client,
    clientAuthOf(library, settings),
    parametersOf(context),
    http(library, context),
  );
  return library.processDeviceAuthorizationResponse(server, client, response);
}

function http(library: OAuthLibrary, { settings, signal }: GrantContext) {
  return httpOptions(library, settings, signal);
}

/** Dates assertions by the injected clock. */
function clientOf(library: OAuthLibrary, { clientId, clock }: OAuthSettings): oauth.Client {
  return { client_id: clientId, [library.clockSkew]: Math.round((clock.now() - Date.now()) / 1000) };
}

function clientAuthOf(library: OAuthLibrary, { clientSecret, privateKey, auth }: OAuthSettings): oauth.ClientAuth {
  if (privateKey !== undefined) return library.PrivateKeyJwt(privateKey);
  if (clientSecret === undefined) return library.None();
  return auth === 'post' ? library.ClientSecretPost(clientSecret) : library.ClientSecretBasic(clientSecret);
}

function parametersOf({ settings: { audience, resource = [] }, scopes }: GrantContext): URLSearchParams {
  const parameters = new URLSearchParams();
  if (scopes.length > 0) parameters.set('scope', scopes.join(' '));
  if (audience !== undefined) parameters.set('audience', audience);
  for (const each of [resource].flat()) parameters.append('resource', each);
  return parameters;
}

function toGranted(answer: oauth.TokenEndpointResponse, { clock }: OAuthSettings): Granted {
  const { access_token, token_type, expires_in, refresh_token } = answer;
  if (token_type !== 'bearer') throw new A2AError('AUTH_REQUIRED', 'The authorization server issues tokens of a type other than Bearer');
  return {
    token: access_token,
    expiresAt: expires_in === undefined ? undefined : clock.now() + expires_in * 1000,
    refreshToken: refresh_token,
  };
}
