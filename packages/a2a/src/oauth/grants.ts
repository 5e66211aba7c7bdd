/** The three grants that get tokens here, and what an answer becomes. */
import * as oauth from 'oauth4webapi';
import type { Token } from '../client/auth/cached.js';
import { A2AError } from '../protocol/errors.js';
import { httpOptions } from './http.js';
import type { OAuthSettings } from './options.js';

/** One conversation with one server. */
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
  const client = clientOf(settings);
  const parameters = parametersOf(context);
  const response = await oauth.clientCredentialsGrantRequest(server, client, settings.clientAuth, parameters, http(context));
  return toGranted(await oauth.processClientCredentialsResponse(server, client, response), settings);
}

export async function grantDeviceCode(context: GrantContext, deviceCode: string): Promise<Granted> {
  const { server, settings } = context;
  const client = clientOf(settings);
  const response = await oauth.deviceCodeGrantRequest(server, client, settings.clientAuth, deviceCode, http(context));
  return toGranted(await oauth.processDeviceCodeResponse(server, client, response), settings);
}

export async function grantRefresh(context: GrantContext, refreshToken: string): Promise<Granted> {
  const { server, settings } = context;
  const client = clientOf(settings);
  const response = await oauth.refreshTokenGrantRequest(server, client, settings.clientAuth, refreshToken, http(context));
  return toGranted(await oauth.processRefreshTokenResponse(server, client, response), settings);
}

export async function requestDeviceCode(context: GrantContext): Promise<oauth.DeviceAuthorizationResponse> {
  const { server, settings } = context;
  const client = clientOf(settings);
  const response = await oauth.deviceAuthorizationRequest(server, client, settings.clientAuth, parametersOf(context), http(context));
  return oauth.processDeviceAuthorizationResponse(server, client, response);
}

function http({ settings, signal }: GrantContext) {
  return httpOptions(settings, signal);
}

/** Assertions are dated by the clock that was passed in. */
function clientOf({ clientId, clock }: OAuthSettings): oauth.Client {
  return { client_id: clientId, [oauth.clockSkew]: Math.round((clock.now() - Date.now()) / 1000) };
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
  if (token_type !== 'bearer') throw new A2AError('AUTH_REQUIRED', 'The authorization server gives tokens of a type other than Bearer');
  return {
    token: access_token,
    expiresAt: expires_in === undefined ? undefined : clock.now() + expires_in * 1000,
    refreshToken: refresh_token,
  };
}
