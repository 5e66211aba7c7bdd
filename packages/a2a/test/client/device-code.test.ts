import { expect, test, vi } from 'vitest';
import type { Credentials } from '../../src/client/auth/credentials.js';
import { type DeviceCodeOptions, type DeviceCodePrompt, deviceCode } from '../../src/oauth/index.js';
import { oauth2 } from '../../src/protocol/security.js';
import { type ManualClock, manualClock } from '../../src/testing/manual-clock.js';
import { type Answer, askFor, cardWith, refuses, type ScriptedServer, scriptedServer } from './scripted-oauth.js';

const CODE = {
  device_code: 'dc',
  user_code: 'ABCD-EFGH',
  verification_uri: 'https://id.test/device',
  verification_uri_complete: 'https://id.test/device?user_code=ABCD-EFGH',
  expires_in: 600,
  interval: 2,
};
const TOKEN = { access_token: 'at', token_type: 'Bearer', expires_in: 3600, refresh_token: 'rt' };
const CARD = cardWith(
  oauth2({ deviceCode: { deviceAuthorizationUrl: 'https://id.test/device_auth', tokenUrl: 'https://id.test/token', scopes: {} } }),
);
const PENDING = refuses('authorization_pending');

test('onCode receives the code, and the client polls at the interval of the server', async () => {
  const { credentials, clock, asked, prompts } = setUp([CODE, PENDING, PENDING, TOKEN]);
  const getting = credentials.get(askFor(CARD));
  await vi.dynamicImportSettled(); // loads the OAuth library
  await clock.tick(1_999);
  expect(asked.map(({ url }) => url)).toEqual(['https://id.test/device_auth']);
  expect(prompts).toEqual([
    {
      userCode: 'ABCD-EFGH',
      verificationUri: 'https://id.test/device',
      verificationUriComplete: 'https://id.test/device?user_code=ABCD-EFGH',
      expiresAt: clock.now() - 1_999 + 600_000,
    },
  ]);
  await clock.tick(1);
  expect(asked).toHaveLength(2);
  await clock.tick(4_000);
  expect(await getting).toEqual({ headers: { authorization: 'Bearer at' } });
  expect(asked.slice(1).map(({ form }) => [form.grant_type, form.device_code, form.client_id])).toEqual(
    Array(3).fill(['urn:ietf:params:oauth:grant-type:device_code', 'dc', 'me']),
  );
  expect(clock.pending).toBe(0);
});

test('slow_down increases the polling interval by five seconds', async () => {
  const { credentials, clock, asked } = setUp([CODE, refuses('slow_down'), PENDING, TOKEN]);
  const getting = credentials.get(askFor(CARD));
  await vi.dynamicImportSettled(); // loads the OAuth library
  await clock.tick(2_000);
  await clock.tick(6_999);
  expect(asked).toHaveLength(2);
  await clock.tick(1);
  expect(asked).toHaveLength(3);
  await clock.tick(7_000);
  await getting;
});

test('the polling interval defaults to five seconds', async () => {
  const { interval: _, ...code } = CODE;
  const { credentials, clock, asked } = setUp([code, TOKEN]);
  const getting = credentials.get(askFor(CARD));
  await vi.dynamicImportSettled(); // loads the OAuth library
  await clock.tick(4_999);
  expect(asked).toHaveLength(1);
  await clock.tick(1);
  await getting;
});

test('a poll that fails is repeated at a longer interval', async () => {
  const { credentials, clock } = setUp([CODE, new TypeError('fetch failed'), new Response('oops', { status: 502 }), TOKEN]);
  const getting = credentials.get(askFor(CARD));
  await vi.dynamicImportSettled(); // loads the OAuth library
  await clock.tick(2_000 + 4_000 + 8_000);
  expect(await getting).toBeDefined();
});

for (const [name, answers, words] of [
  ['a user who refuses ends the sign-in', [CODE, PENDING, refuses('access_denied')], 'The person denied the sign-in'],
  ['expired_token ends the sign-in', [CODE, refuses('expired_token')], 'The sign-in code expired before a person signed in'],
  [
    'a code that is not entered expires without a response of the server',
    [{ ...CODE, expires_in: 5 }, PENDING],
    'The sign-in code expired before a person signed in',
  ],
  ['any other refusal ends the sign-in', [CODE, refuses('invalid_grant')], 'refused to issue a token (invalid_grant)'],
  ['a server that gives no code ends the sign-in', [refuses('invalid_client', 401)], 'refused to issue a token (invalid_client)'],
  [
    'a verification URI with the javascript: scheme is refused',
    [{ ...CODE, verification_uri: 'javascript:alert(1)' }],
    'that is not http or https',
  ],
] satisfies [string, Answer[], string][]) {
  test(name, async () => {
    const { credentials, clock } = setUp(answers);
    const outcome = expect(credentials.get(askFor(CARD))).rejects.toMatchObject({
      reason: 'AUTH_REQUIRED',
      message: expect.stringContaining(words),
    });
    await clock.tick(20_000);
    await outcome;
    expect(clock.pending).toBe(0);
  });
}

test('an onCode that throws ends the sign-in', async () => {
  const failing = {
    onCode() {
      throw new Error('no terminal');
    },
  };
  const { credentials } = setUp([CODE, TOKEN], failing);
  await expect(credentials.get(askFor(CARD))).rejects.toMatchObject({ message: 'onCode failed to show the sign-in code' });
});

test('the user is not asked to sign in for a card that may be public, only after the card was refused', async () => {
  const endpoints = { tokenUrl: 'https://id.test/token', deviceAuthorizationUrl: 'https://id.test/device_auth' };
  const { credentials, clock, asked } = setUp([CODE, TOKEN], endpoints);
  expect(await credentials.get(askFor(undefined))).toBeUndefined();
  expect(asked).toHaveLength(0);
  const getting = credentials.get(askFor(undefined, { refused: { material: {}, challenge: 'Bearer' } }));
  await clock.tick(2_000);
  await getting;
  expect(await credentials.get(askFor(undefined))).toEqual({ headers: { authorization: 'Bearer at' } });
});

test('later tokens use the refresh token, and a new refresh token replaces the old one', async () => {
  const second = { ...TOKEN, access_token: 'at2', refresh_token: 'rt2' };
  const { refresh_token: _, ...third } = { ...TOKEN, access_token: 'at3' };
  const { credentials, clock, asked, prompts } = setUp([CODE, TOKEN, second, third, TOKEN]);
  await signIn(credentials, clock);
  for (const expected of ['at2', 'at3', 'at']) {
    await clock.tick(3_600_000);
    expect(await credentials.get(askFor(CARD))).toEqual({ headers: { authorization: `Bearer ${expected}` } });
  }
  expect(prompts).toHaveLength(1);
  expect(asked.slice(2).map(({ form }) => form.refresh_token)).toEqual(['rt', 'rt2', 'rt2']);
});

test('a refused refresh token starts a new sign-in; a server that cannot be reached does not', async () => {
  const { credentials, clock, prompts } = setUp([CODE, TOKEN, new TypeError('fetch failed'), refuses('invalid_grant'), CODE, TOKEN]);
  await signIn(credentials, clock);
  await clock.tick(3_600_000);
  await expect(credentials.get(askFor(CARD))).rejects.toMatchObject({ retryable: true });
  expect(prompts).toHaveLength(1);
  await signIn(credentials, clock);
  expect(prompts).toHaveLength(2);
});

test('a started refresh completes even when all callers have aborted, because its token works only once', async () => {
  let answer = (_: Response): void => {};
  const held = () =>
    new Promise<Response>((resolve) => {
      answer = resolve;
    });
  const { credentials, clock, asked, prompts } = setUp([CODE, TOKEN, held, { ...TOKEN, access_token: 'at3', refresh_token: 'rt3' }]);
  await signIn(credentials, clock);
  await clock.tick(3_600_000);
  const leaving = new AbortController();
  const left = expect(credentials.get(askFor(CARD, { signal: leaving.signal }))).rejects.toMatchObject({ reason: 'ABORTED' });
  await clock.tick();
  leaving.abort();
  await left;
  const next = credentials.get(askFor(CARD));
  await clock.tick();
  answer(Response.json({ ...TOKEN, access_token: 'at2', refresh_token: 'rt2' }));
  expect(await next).toEqual({ headers: { authorization: 'Bearer at2' } });
  await clock.tick(3_600_000);
  expect(await credentials.get(askFor(CARD))).toEqual({ headers: { authorization: 'Bearer at3' } });
  expect(asked.slice(2).map(({ form }) => form.refresh_token)).toEqual(['rt', 'rt2']);
  expect([prompts.length, clock.pending]).toEqual([1, 0]);
});

test('a card cannot make the client send its secret to a second server', async () => {
  const { credentials, asked } = setUp([CODE], { clientSecret: 's3cret' });
  const flow = { deviceAuthorizationUrl: 'https://evil.test/device', tokenUrl: 'https://id.test/token', scopes: {} };
  await expect(credentials.get(askFor(cardWith(oauth2({ deviceCode: flow }))))).rejects.toMatchObject({ reason: 'INVALID_REQUEST' });
  expect(asked).toHaveLength(0);
});

test('concurrent callers share one code, and polling stops when all of them have aborted', async () => {
  const { credentials, clock, asked, prompts } = setUp([CODE, PENDING]);
  const leaving = new AbortController();
  const all = Array.from({ length: 5 }, () => credentials.get(askFor(CARD, { signal: leaving.signal })));
  const outcome = Promise.all(all.map((each) => expect(each).rejects.toMatchObject({ reason: 'ABORTED' })));
  await clock.tick(2_000);
  leaving.abort();
  await outcome;
  await clock.tick(60_000);
  expect([prompts.length, asked.length, clock.pending]).toEqual([1, 2, 0]);
});

test('invalid options throw at once', () => {
  // A caller in plain JavaScript can leave out onCode.
  expect(() => deviceCode({ clientId: 'me' } as DeviceCodeOptions)).toThrow(/needs onCode/);
  const base = { clientId: 'me', onCode: vi.fn(), deviceAuthorizationUrl: 'http://id.test' };
  expect(() => deviceCode(base)).toThrow(/tokenUrl together with deviceAuthorizationUrl/);
  expect(() => deviceCode({ ...base, tokenUrl: 'https://id.test' })).toThrow(/must be https:/);
});

interface SetUp extends ScriptedServer {
  readonly credentials: { get(...args: Parameters<Credentials['get']>): Promise<unknown> };
  readonly clock: ManualClock;
  readonly prompts: DeviceCodePrompt[];
}

function setUp(answers: readonly Answer[], more: Partial<DeviceCodeOptions> = {}): SetUp {
  const server = scriptedServer(...answers);
  const clock = manualClock();
  const prompts: DeviceCodePrompt[] = [];
  const credentials = deviceCode({
    clientId: 'me',
    fetch: server.fetch,
    clock,
    onCode: (prompt) => {
      prompts.push(prompt);
    },
    ...more,
  });
  return { ...server, clock, prompts, credentials: { get: async (request) => credentials.get(request) } };
}

async function signIn(credentials: SetUp['credentials'], clock: ManualClock): Promise<void> {
  const getting = credentials.get(askFor(CARD));
  await vi.dynamicImportSettled(); // loads the OAuth library
  await clock.tick(2_000);
  expect(await getting).toBeDefined();
}
