/** What both grants can be told. */
import type * as oauth from 'oauth4webapi';
import { systemClock } from '../platform/system-clock.js';
import type { Clock } from '../protocol/clock.js';
import { A2AError } from '../protocol/errors.js';
import { isObject } from '../protocol/is-object.js';
import { checkedUrl } from './address.js';
import { libraryLoader, type OAuthLibrary } from './library.js';

/** A private key of Web Crypto, or one with the id that the authorization server knows it by. */
export type OAuthPrivateKey = Parameters<typeof oauth.PrivateKeyJwt>[0];

export interface OAuthOptions {
  /** The authorization server, found by its discovery document. Default: what the agent's card declares. */
  readonly issuer?: string | undefined;
  /** Instead of what is discovered or declared. */
  readonly tokenUrl?: string | undefined;
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
  /** Instead of a secret: signs a short-lived assertion (`private_key_jwt`). */
  readonly privateKey?: OAuthPrivateKey | undefined;
  /** How the secret is sent. Default 'basic'. */
  readonly auth?: 'basic' | 'post' | undefined;
  /** Default: those that the card asks for. A call's own `scopes` win. */
  readonly scopes?: readonly string[] | undefined;
  /** Whom the token is for, as some servers call it. */
  readonly audience?: string | undefined;
  /** Whom the token is for, as RFC 8707 calls it. */
  readonly resource?: string | readonly string[] | undefined;
  /** How long before its end a token is replaced. Default 30,000. */
  readonly skewMs?: number | undefined;
  /** For each request to the authorization server. Default 10,000. */
  readonly timeoutMs?: number | undefined;
  /** Allows http: for an authorization server on this machine. Default false. */
  readonly allowInsecure?: boolean | undefined;
  readonly fetch?: typeof fetch | undefined;
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
  if (auth !== undefined && auth !== 'basic' && auth !== 'post') throw misuse("takes 'basic' or 'post' as auth");
  if (!(timeoutMs > 0)) throw misuse(`needs a positive timeoutMs, got ${timeoutMs}`);
  if (issuer !== undefined) checkedUrl(issuer, { allowInsecure, what: `${name}: issuer` });
  if (tokenUrl !== undefined) checkedUrl(tokenUrl, { allowInsecure, what: `${name}: tokenUrl` });
  return { ...options, timeoutMs, allowInsecure, clock, library: libraryLoader() };
}

/** Checked here, not by the library, which is loaded later: its refusal would be reported as a failure of the authorization server. */
function faultOfKey(given: unknown): string | undefined {
  // Callers without types pass a PEM text, a JWK, a KeyObject of Node or null.
  const { key, kid } = isObject(given) && !isCryptoKey(given) ? given : { key: given, kid: undefined };
  if (!isCryptoKey(key)) return 'it must be a CryptoKey, or { key, kid } with a CryptoKey';
  if (key.type !== 'private') return `it must be a private CryptoKey, got a ${key.type} one`;
  if (!key.usages.includes('sign')) return "its usages must include 'sign'";
  if (kid !== undefined && (typeof kid !== 'string' || kid === '')) return 'its kid must be a text that is not empty';
  return undefined;
}

/** By its members, because not every platform that we compile for declares the class. A KeyObject and a JWK have no usages. */
function isCryptoKey(value: unknown): value is { readonly type: string; readonly usages: readonly unknown[] } {
  return isObject(value) && typeof value.type === 'string' && Array.isArray(value.usages) && isObject(value.algorithm);
}
