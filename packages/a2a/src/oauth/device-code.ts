/** Sign-in on another device: a person enters a code there while the client polls the authorization server. */
import type { Credentials } from '../client/auth/credentials.js';
import { originOf } from '../platform/origin.js';
import { untilAborted } from '../platform/until-aborted.js';
import { A2AError } from '../protocol/errors.js';
import { checkedUrl } from './address.js';
import { oauthCredentials } from './credentials.js';
import { oauthCode, toOAuthError } from './failure.js';
import { type GrantContext, type Granted, grantDeviceCode, grantRefresh, requestDeviceCode } from './grants.js';
import { type OAuthOptions, type OAuthSettings, resolveOAuthOptions } from './options.js';

/** The data to show to the person. */
export interface DeviceCodePrompt {
  readonly userCode: string;
  /** The page where the person enters the code. */
  readonly verificationUri: string;
  /** The same address with the code in it, for a link or a QR code. Undefined if the server does not offer it. */
  readonly verificationUriComplete: string | undefined;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Options of `deviceCode`: the client's id, the authorization server, and a function that shows the code. */
export interface DeviceCodeOptions extends OAuthOptions {
  /** The device authorization endpoint; `tokenUrl` is then required too. Default: the discovered or declared one. */
  readonly deviceAuthorizationUrl?: string | undefined;
  /** Shows the code. Resolve as soon as it is visible. */
  onCode(prompt: DeviceCodePrompt): void | Promise<void>;
}

// RFC 8628: the default interval, and the increase after `slow_down`.
const DEFAULT_INTERVAL_S = 5;
const SLOWER_MS = 5_000;
const MIN_INTERVAL_MS = 1_000;

/**
 * Asks a person to sign in once. After that refresh tokens are used, if the server issues them (many require the scope `offline_access`).
 */
export function deviceCode(options: DeviceCodeOptions): Credentials {
  if (typeof options.onCode !== 'function') throw new A2AError('INVALID_PARAMS', 'deviceCode needs onCode, which shows the code');
  const settings = resolveOAuthOptions('deviceCode', options);
  checkAddresses(settings);
  const sessions = new Map<string, Session>();
  return oauthCredentials({
    settings,
    flowOf: ({ oauth2SecurityScheme }) => oauth2SecurityScheme?.flows?.deviceCode,
    asksPerson: true,
    async obtain(context, key) {
      const session = sessions.get(key) ?? {};
      sessions.set(key, session);
      const refreshed = await untilAborted(refreshOnce(session, context), context.signal);
      if (refreshed) return refreshed;
      const granted = await signIn(context, options);
      session.refreshToken = granted.refreshToken;
      return granted;
    },
  });
}

/** The state that a sign-in leaves. */
interface Session {
  refreshToken?: string | undefined;
  refreshing?: Promise<Granted | undefined> | undefined;
}

/**
 * Servers that rotate refresh tokens accept each only once. So a started refresh always completes, even if its caller aborts, and no second
 * one starts meanwhile.
 */
function refreshOnce(session: Session, context: GrantContext): Promise<Granted | undefined> {
  const { refreshToken } = session;
  if (refreshToken === undefined) return Promise.resolve(undefined);
  session.refreshing ??= refresh({ ...context, signal: new AbortController().signal }, refreshToken)
    .then((granted) => {
      session.refreshToken = granted?.refreshToken;
      return granted;
    })
    .finally(() => {
      session.refreshing = undefined;
    });
  return session.refreshing;
}

/**
 * Returns undefined if the server no longer accepts the token: the person must sign in again. A server that does not rotate returns no new
 * token, so the old one is kept.
 */
async function refresh(context: GrantContext, old: string): Promise<Granted | undefined> {
  try {
    const granted = await grantRefresh(context, old);
    return { ...granted, refreshToken: granted.refreshToken ?? old };
  } catch (error) {
    if (oauthCode(error) === 'invalid_grant') return undefined;
    throw error;
  }
}

async function signIn(context: GrantContext, { onCode }: DeviceCodeOptions): Promise<Granted> {
  const { settings, signal } = context;
  if (context.server.device_authorization_endpoint === undefined) {
    const text = `The authorization server ${context.server.issuer} declares no device authorization endpoint; set deviceAuthorizationUrl and tokenUrl`;
    throw new A2AError('AUTH_REQUIRED', text);
  }
  const answer = await requestDeviceCode(context);
  const prompt: DeviceCodePrompt = {
    userCode: answer.user_code,
    verificationUri: webAddress(answer.verification_uri),
    verificationUriComplete: answer.verification_uri_complete && webAddress(answer.verification_uri_complete),
    expiresAt: settings.clock.now() + answer.expires_in * 1000,
  };
  const shown = (async () => onCode(prompt))();
  await untilAborted(shown, signal).catch((error: unknown) => {
    throw new A2AError('AUTH_REQUIRED', 'onCode failed to show the sign-in code', { cause: error });
  });
  const intervalMs = Math.max(MIN_INTERVAL_MS, (answer.interval ?? DEFAULT_INTERVAL_S) * 1000);
  return poll(context, { deviceCode: answer.device_code, intervalMs, expiresAt: prompt.expiresAt });
}

interface Poll {
  readonly deviceCode: string;
  readonly intervalMs: number;
  readonly expiresAt: number;
}

async function poll(context: GrantContext, { deviceCode: code, intervalMs, expiresAt }: Poll): Promise<Granted> {
  const { clock } = context.settings;
  // May poll once after the expiry: the response of the server is more precise than our own clock.
  for (let waitMs = intervalMs; clock.now() < expiresAt; ) {
    await pause(waitMs, context);
    try {
      return await grantDeviceCode(context, code);
    } catch (error) {
      waitMs = nextWait(error, waitMs, context);
    }
  }
  throw expired();
}

/** Returns the delay before the next poll. Rethrows errors that end the polling. */
function nextWait(error: unknown, waitMs: number, { server }: GrantContext): number {
  switch (oauthCode(error)) {
    case 'authorization_pending':
      return waitMs;
    case 'slow_down':
      return waitMs + SLOWER_MS;
    case 'expired_token':
      throw expired();
    case 'access_denied':
      throw new A2AError('AUTH_REQUIRED', 'The person denied the sign-in');
  }
  const failure = toOAuthError(error, originOf(server.token_endpoint ?? server.issuer));
  // RFC 8628: use exponential backoff for a server that does not respond.
  if (failure.retryable) return waitMs * 2;
  throw failure;
}

async function pause(waitMs: number, { settings, signal }: GrantContext): Promise<void> {
  let stop = (): void => {};
  try {
    await untilAborted(
      new Promise<void>((resolve) => {
        stop = settings.clock.after(waitMs, resolve);
      }),
      signal,
    );
  } finally {
    stop();
  }
}

function checkAddresses({ deviceAuthorizationUrl, tokenUrl, allowInsecure }: DeviceCodeOptions & OAuthSettings): void {
  if (deviceAuthorizationUrl === undefined) return;
  if (tokenUrl === undefined) throw new A2AError('INVALID_PARAMS', 'deviceCode needs tokenUrl together with deviceAuthorizationUrl');
  checkedUrl(deviceAuthorizationUrl, { allowInsecure, what: 'deviceCode: deviceAuthorizationUrl' });
}

function expired(): A2AError {
  return new A2AError('AUTH_REQUIRED', 'The sign-in code expired before a person signed in');
}

/** Programs open this address in a browser: it must not be a script URL. */
function webAddress(text: string): string {
  if (/^https?:\/\//i.test(text)) return text;
  throw new A2AError('AUTH_REQUIRED', 'The authorization server returned a sign-in address that is not http or https');
}
