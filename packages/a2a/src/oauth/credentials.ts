/** The common part of both grants: finds the server, determines the scopes and caches the tokens. */
import type { AuthorizationServer } from 'oauth4webapi';
import { cachedToken, type Token } from '../client/auth/cached-token.js';
import type { AuthRequest, Credentials } from '../client/auth/credentials.js';
import { takesBearer } from '../client/auth/http-auth.js';
import { originOf } from '../platform/origin.js';
import { abortedBy } from '../platform/until-aborted.js';
import { isA2AError } from '../protocol/errors.js';
import type { SecurityScheme } from '../protocol/types.js';
import { toOAuthError } from './failure.js';
import type { GrantContext } from './grants.js';
import type { OAuthSettings } from './options.js';
import { type DeclaredEndpoints, serverFinder } from './server.js';

export interface Grant {
  readonly settings: OAuthSettings & { readonly deviceAuthorizationUrl?: string | undefined };
  readonly flowOf: (scheme: SecurityScheme) => DeclaredEndpoints | undefined;
  /** Fetches a token. `key` identifies the cache entry. */
  readonly obtain: (context: GrantContext, key: string) => Promise<Token>;
  /** If true, a person must sign in, so the grant runs only after the agent has asked for credentials. */
  readonly asksPerson: boolean;
}

interface Resolved extends AuthRequest {
  readonly server: AuthorizationServer;
  readonly wanted: readonly string[];
}

export function oauthCredentials({ settings, flowOf, obtain, asksPerson }: Grant): Credentials {
  const known = settings.issuer !== undefined || settings.tokenUrl !== undefined;
  const fits = (scheme: SecurityScheme): boolean =>
    known ? takesBearer(scheme) : flowOf(scheme) !== undefined || scheme.openIdConnectSecurityScheme !== undefined;
  const servers = serverFinder({ ...settings, flowOf, fits });
  const tokens = cachedToken<Resolved>(
    async (request) => {
      const { server, wanted, signal } = request;
      try {
        return await obtain({ settings, server, scopes: wanted, signal }, keyOf(request));
      } catch (error) {
        if (signal.aborted && !isA2AError(error)) throw abortedBy(signal);
        throw toOAuthError(error, originOf(server.token_endpoint ?? server.issuer));
      }
    },
    { keyOf, skewMs: settings.skewMs, clock: settings.clock },
  );
  return {
    fits,
    async get(request) {
      const found = await servers.find(request);
      if (found === undefined) return undefined;
      const wanted = request.scopes ?? settings.scopes ?? found.scopes ?? [];
      const resolved = { ...request, server: found.server, wanted };
      // Cards are usually public: do not ask a person to sign in only to read one.
      if (asksPerson && request.card === undefined && request.refused === undefined) return tokens.peek(resolved);
      return tokens.get(resolved);
    },
  };
}

function keyOf({ server, wanted }: Resolved): string {
  return JSON.stringify([server.token_endpoint, [...new Set(wanted)].sort()]);
}
