import type { Credentials } from '../client/auth/credentials.js';
import { A2AError } from '../protocol/errors.js';
import { oauthCredentials } from './credentials.js';
import { grantClientCredentials } from './grants.js';
import { type OAuthOptions, resolveOAuthOptions } from './options.js';

/** Options of `clientCredentials`: the client's id with its secret or private key, and the authorization server. */
export type ClientCredentialsOptions = OAuthOptions;

/**
 * The program's own identity: exchanges its id and secret, or its private key, for tokens, which are cached and renewed. Give `issuer` or
 * `tokenUrl`. Without them, the card must name an authorization server on the agent's own origin; otherwise calls reject and nothing is
 * sent.
 */
export function clientCredentials(options: ClientCredentialsOptions): Credentials {
  if (options.clientSecret === undefined && options.privateKey === undefined) {
    throw new A2AError('INVALID_PARAMS', 'clientCredentials needs a clientSecret or a privateKey');
  }
  return oauthCredentials({
    settings: resolveOAuthOptions('clientCredentials', options),
    flowOf: ({ oauth2SecurityScheme }) => oauth2SecurityScheme?.flows?.clientCredentials,
    obtain: grantClientCredentials,
    asksPerson: false,
  });
}
