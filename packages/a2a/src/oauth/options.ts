/** The options of both grants. */
import type * as oauth from 'oauth4webapi';
import { systemClock } from '../platform/system-clock.js';
import type { Clock } from '../protocol/clock.js';
import { A2AError } from '../protocol/errors.js';
import { isObject } from '../protocol/is-object.js';
import { checkedUrl } from './address.js';
import { libraryLoader, type OAuthLibrary } from './library.js';

/** A Web Crypto private key, optionally with the key id that the authorization server knows. */
export type OAuthPrivateKey = Parameters<typeof oauth.PrivateKeyJwt>[0];

/** Options that all OAuth grants share: the client, the authorization server, and the scopes. */
export interface OAuthOptions {
  /**
   * The issuer URL of the authorization server, used for discovery. Default: what the agent's card declares. With a secret or a private
   * key, that server must be on the agent's own origin.
   */
  readonly issuer?: string | undefined;
  /** The token endpoint. Default: the discovered one, or the declared one with the same limit as for `issuer`. */
  readonly tokenUrl?: string | undefined;
  /** The id of this client at the authorization server. */
  readonly clientId: string;
  /** The secret of this client. Default: none, for a public client or with `privateKey`. */
  readonly clientSecret?: string | undefined;
  /** Used instead of a secret: signs a short-lived assertion (`private_key_jwt`). Default: the secret is used. */
  readonly privateKey?: OAuthPrivateKey | undefined;
  /** How the secret is sent. Default 'basic'. */
  readonly auth?: 'basic' | 'post' | undefined;
  /** Default: the scopes that the card requires. The `scopes` of a call override them. */
  readonly scopes?: readonly string[] | undefined;
  /** The recipient of the token, in the parameter that some servers use. Default: not sent. */
  readonly audience?: string | undefined;
  /** The recipient of the token, as RFC 8707 defines it. Default: not sent. */
  readonly resource?: string | readonly string[] | undefined;
  /** How long before its expiry a token is replaced. Default 30,000. */
  readonly skewMs?: number | undefined;
  /** Timeout of each request to the authorization server. Default 10,000. */
  readonly timeoutMs?: number | undefined;
  /** Allows http: for an authorization server on the loopback host. Default false. */
  readonly allowInsecure?: boolean | undefined;
  /** Sends the requests to the authorization server. Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Measures timeouts and the lifetime of tokens. Default: the system clock. */
  readonly clock?: Clock | undefined;
}

export type OAuthSettings = OAuthOptions & {
  readonly timeoutMs: number;
  readonly allowInsecure: boolean;
  readonly clock: Clock;
  readonly library: () => Promise<OAuthLibrary>;
};

export function resolveOAuthOptions<O extends OAuthOptions>(name: string, options: O): O & OAuthSettings {
  const { clientId, issuer, tokenUrl, clientSecret, privateKey, auth } = options;
  const { timeoutMs = 10_000, allowInsecure = false, clock = systemClock } = options;
  const misuse = (text: string): A2AError => new A2AError('INVALID_PARAMS', `${name} ${text}`);
  if (typeof clientId !== 'string' || clientId === '') throw misuse('needs a clientId');
  if (clientSecret !== undefined && privateKey !== undefined) throw misuse('takes a clientSecret or a privateKey, not both');
  const fault = privateKey === undefined ? undefined : faultOfKey(privateKey);
  if (fault !== undefined) throw misuse(`got a privateKey that cannot sign: ${fault}`);
  if (clientSecret === '') throw misuse('got an empty clientSecret');
  if (auth !== undefined && auth !== 'basic' && auth !== 'post') throw misuse("needs 'basic' or 'post' as auth");
  if (!(timeoutMs > 0)) throw misuse(`needs a positive timeoutMs, got ${timeoutMs}`);
  if (issuer !== undefined) checkedUrl(issuer, { allowInsecure, what: `${name}: issuer` });
  if (tokenUrl !== undefined) checkedUrl(tokenUrl, { allowInsecure, what: `${name}: tokenUrl` });
  return { ...options, timeoutMs, allowInsecure, clock, library: libraryLoader() };
}

/** Checked here and not by the library, which is loaded later: its error would be reported as a failure of the authorization server. */
function faultOfKey(given: unknown): string | undefined {
  // Untyped callers pass a PEM string, a JWK, a Node KeyObject or null.
  const { key, kid } = isObject(given) && !isCryptoKey(given) ? given : { key: given, kid: undefined };
  if (!isCryptoKey(key)) return 'it must be a CryptoKey, or { key, kid } with a CryptoKey';
  if (key.type !== 'private') return `it must be a private CryptoKey, got a ${key.type} one`;
  if (!key.usages.includes('sign')) return "its usages must include 'sign'";
  if (kid !== undefined && (typeof kid !== 'string' || kid === '')) return 'its kid must be a string that is not empty';
  return undefined;
}

/** Checks the members instead of the class, because not every target platform declares the class. A KeyObject and a JWK have no usages. */
function isCryptoKey(value: unknown): value is { readonly type: string; readonly usages: readonly unknown[] } {
  return isObject(value) && typeof value.type === 'string' && Array.isArray(value.usages) && isObject(value.algorithm);
}
