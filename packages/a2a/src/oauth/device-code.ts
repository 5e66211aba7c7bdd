/** Signing in on another device: a person enters a code there while we ask whether they have. */
import type { Credentials } from '../client/auth/credentials.js';
import { originOf } from '../platform/origin.js';
import { untilAborted } from '../platform/until-aborted.js';
import { A2AError } from '../protocol/errors.js';
import { checkedUrl } from './address.js';
import { oauthCredentials } from './credentials.js';
import { oauthCode, toOAuthError } from './failure.js';
import { type GrantContext, type Granted, grantDeviceCode, grantRefresh, requestDeviceCode } from './grants.js';
import { type OAuthOptions, type OAuthSettings, resolveOAuthOptions } from './options.js';

/** What to show to the person. */
export interface DeviceCodePrompt {
  readonly userCode: string;
  /** Where the code is entered. */
  readonly verificationUri: string;
  /** The same with the code in it, for a link or a QR code, where the server offers it. */
  readonly verificationUriComplete: string | undefined;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export interface DeviceCodeOptions extends OAuthOptions {
  readonly deviceAuthorizationUrl?: string | undefined;
  /** Shows the code; resolve as soon as it is visible. */
  onCode(prompt: DeviceCodePrompt): void | Promise<void>;
}

// RFC 8628: where the server says nothing, and how much longer after `slow_down`.
const DEFAULT_INTERVAL_S = 5;
const SLOWER_MS = 5_000;
const MIN_INTERVAL_MS = 1_000;

/** A person signs in once; after that refresh tokens do, where the server gives them (scope `offline_access` on many). */
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

/** What is left of a sign-in. */
interface Session {
  refreshToken?: string | undefined;
  refreshing?: Promise<Granted | undefined> | undefined;
}

/** A refresh token works once where servers rotate them: a refresh that was begun ends, whoever leaves, and nobody begins a second one. */
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

/** undefined: the server does not take it any more, so that the person has to sign in again. Whoever does not rotate keeps the old one. */
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
    throw new A2AError('AUTH_REQUIRED', 'The authorization server declares no device authorization endpoint');
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
    throw new A2AError('AUTH_REQUIRED', 'The code to sign in with could not be shown', { cause: error });
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
  // One more question than fits in: the server's answer is the better one.
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

/** How long to wait until the next question; rethrows what ends the asking. */
function nextWait(error: unknown, waitMs: number, { server }: GrantContext): number {
  switch (oauthCode(error)) {
    case 'authorization_pending':
      return waitMs;
    case 'slow_down':
      return waitMs + SLOWER_MS;
    case 'expired_token':
      throw expired();
    case 'access_denied':
      throw new A2AError('AUTH_REQUIRED', 'The person refused to sign in');
  }
  const failure = toOAuthError(error, originOf(server.token_endpoint ?? server.issuer));
  // RFC 8628: a server that does not answer is asked less and less often.
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
  if (tokenUrl === undefined) throw new A2AError('INVALID_PARAMS', 'deviceCode takes deviceAuthorizationUrl together with tokenUrl');
  checkedUrl(deviceAuthorizationUrl, { allowInsecure, what: 'deviceCode: deviceAuthorizationUrl' });
}

function expired(): A2AError {
  return new A2AError('AUTH_REQUIRED', 'Nobody signed in before the code expired');
}

/** Programs open this in a browser: it must not be a script. */
function webAddress(text: string): string {
  if (/^https?:\/\//i.test(text)) return text;
  throw new A2AError('AUTH_REQUIRED', 'The authorization server gave an address to sign in at that is not of the web');
}
