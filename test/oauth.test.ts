// Gets tokens from a real authorization server and uses them with our agent, which asks that server about each token.

import { type Credentials, chooseCredentials, createClient, credentialsFor, type SendOptions } from '@parley/a2a/client';
import { clientCredentials, type DeviceCodePrompt, deviceCode, type OAuthOptions } from '@parley/a2a/oauth';
import { oauth2, oidc, withScopes } from '@parley/a2a/security';
import { createAgent } from '@parley/a2a/server';
import { createTestFetch } from '@parley/a2a/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../packages/a2a/src/platform/system-clock.js';
import { signInAt } from './peers/sign-in.js';
import { type RunningPeer, startPeer } from './peers/start-peer.js';

const MACHINE = { clientId: 'machine', clientSecret: 'a secret with: % and +' };
const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
let peer: RunningPeer;

// A fresh clone installs the server first.
beforeAll(async () => {
  peer = await startPeer('oidc', { OIDC_CONFIG: JSON.stringify({ clients: await clients() }) });
}, 180_000);
afterAll(() => peer?.stop());

describe('a client with its own identity', () => {
  test('gets a token from the server that the card declares, and the agent identifies it', async () => {
    const { options, tokenRequests } = counted();
    const { call } = agentWith(machineFlow(['agent:read']));
    expect(await call(credentialsFor({ oauth2: clientCredentials({ ...MACHINE, ...options }) }))).toBe('machine may agent:read');
    expect(tokenRequests()).toBe(1);
  });

  test('works with OpenID Connect discovery, and authenticates by a posted secret or a signature', async () => {
    const { options } = counted();
    const { call } = agentWith(withScopes(oidc(`${peer.url}/.well-known/openid-configuration`), ['agent:read']));
    const poster = clientCredentials({ clientId: 'poster', clientSecret: 'secret', auth: 'post', ...options });
    expect(await call(chooseCredentials(poster))).toBe('poster may agent:read');
    const signer = clientCredentials({ clientId: 'signer', privateKey: { key: keys.privateKey, kid: 'k1' }, issuer: peer.url, ...options });
    expect(await call(chooseCredentials(signer))).toBe('signer may agent:read');
  });

  test('requests one token for any number of concurrent and later calls', async () => {
    const { options, tokenRequests } = counted();
    const { call } = agentWith(machineFlow());
    const credentials = clientCredentials({ ...MACHINE, ...options });
    const answers = await Promise.all(Array.from({ length: 20 }, () => call(credentials)));
    expect(new Set(answers)).toEqual(new Set(['machine may nothing']));
    await call(credentials);
    expect(tokenRequests()).toBe(1);
  });

  test('A24: gets another token for a call that needs other scopes', async () => {
    const { options, tokenRequests } = counted();
    const { call } = agentWith(machineFlow(['agent:read']));
    const credentials = clientCredentials({ ...MACHINE, ...options });
    expect(await call(credentials)).toBe('machine may agent:read');
    expect(await call(credentials, { scopes: ['agent:admin'] })).toBe('machine may agent:admin');
    expect(await call(credentials)).toBe('machine may agent:read');
    expect(tokenRequests()).toBe(2);
  });

  test('gets one new token when the agent refuses the old one, also for concurrent calls', async () => {
    const { options, tokenRequests } = counted();
    const { call, seen } = agentWith(machineFlow());
    const credentials = clientCredentials({ ...MACHINE, ...options });
    await call(credentials);
    await revoke(seen[0] ?? '');
    const answers = await Promise.all(Array.from({ length: 5 }, () => call(credentials)));
    expect(new Set(answers)).toEqual(new Set(['machine may nothing']));
    expect([tokenRequests(), new Set(seen).size]).toEqual([2, 2]);
  });

  test('gets a new token shortly before the old one expires', async () => {
    let aheadMs = 0;
    const clock = { ...systemClock, now: () => Date.now() + aheadMs };
    const { options, tokenRequests } = counted();
    const { call } = agentWith(machineFlow());
    const credentials = clientCredentials({ ...MACHINE, ...options, clock });
    for (const each of [0, 3_500_000, 3_575_000]) {
      aheadMs = each;
      await call(credentials);
    }
    expect(tokenRequests()).toBe(2);
  });

  test('gets a clear error for a wrong secret or a scope it may not have, and sends nothing to the agent', async () => {
    const { options } = counted();
    const { call, seen } = agentWith(machineFlow());
    const wrong = clientCredentials({ ...MACHINE, clientSecret: 'wr0ng', ...options });
    const thrown: unknown = await call(wrong).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ reason: 'AUTH_REQUIRED', retryable: false });
    expect(String(thrown)).toMatch(
      /^A2AError: The authorization server http:\/\/127.0.0.1:\d+ refused to issue a token \(invalid_client\)$/,
    );
    const right = clientCredentials({ ...MACHINE, ...options });
    await expect(call(right, { scopes: ['openid'] })).rejects.toMatchObject({ message: expect.stringContaining('(invalid_scope)') });
    expect(seen).toEqual([]);
  });

  test('can retry later when the server is unavailable', async () => {
    const credentials = clientCredentials({ ...MACHINE, tokenUrl: 'http://127.0.0.1:1/token', allowInsecure: true });
    await expect(agentWith(machineFlow()).call(credentials)).rejects.toMatchObject({ reason: 'AUTH_REQUIRED', retryable: true });
  });
});

describe('a user at another device', () => {
  test('signs in while the call waits, and again only when the refresh token no longer works', async () => {
    let aheadMs = 0;
    const { options, tokenRequests } = counted(() => aheadMs);
    const { call, seen } = agentWith(deviceFlow());
    const prompts: DeviceCodePrompt[] = [];
    const credentials = deviceCode({
      clientId: 'device',
      scopes: ['openid', 'offline_access', 'agent:read'],
      ...options,
      onCode(prompt) {
        prompts.push(prompt);
        // Signs in after the first poll returned "pending".
        void until(() => tokenRequests() > 0).then(() => signInAt(prompt.verificationUriComplete ?? prompt.verificationUri));
      },
    });
    const both = await Promise.all([call(credentials), call(credentials)]);
    expect(both).toEqual(Array(2).fill('test-user may openid offline_access agent:read'));
    expect(tokenRequests()).toBeGreaterThan(1);
    expect(prompts).toMatchObject([{ userCode: expect.stringMatching(/^\w{4}-\w{4}$/), verificationUri: `${peer.url}/device` }]);

    const before = tokenRequests();
    for (const hours of [1, 2]) {
      aheadMs = hours * 3_600_000;
      expect(await call(credentials)).toBe('test-user may openid offline_access agent:read');
    }
    expect([tokenRequests() - before, prompts.length]).toEqual([2, 1]);

    // This server also revokes the refresh token, so the agent refuses the token and the server refuses the refresh.
    await revoke(seen.at(-1) ?? '', 'device');
    expect(await call(credentials)).toBe('test-user may openid offline_access agent:read');
    expect(prompts).toHaveLength(2);
  });

  test('can refuse', async () => {
    const { options } = counted();
    const onCode = (prompt: DeviceCodePrompt) => signInAt(prompt.verificationUriComplete ?? '', { refuse: true }).then(() => {});
    const credentials = deviceCode({ clientId: 'device', ...options, onCode });
    await expect(agentWith(deviceFlow()).call(credentials)).rejects.toMatchObject({
      reason: 'AUTH_REQUIRED',
      message: 'The person denied the sign-in',
    });
  });

  test('can be too late', async () => {
    const { options } = counted();
    const credentials = deviceCode({ clientId: 'too-late', ...options, onCode: () => {} });
    await expect(agentWith(deviceFlow()).call(credentials)).rejects.toMatchObject({
      reason: 'AUTH_REQUIRED',
      message: 'The sign-in code expired before a person signed in',
    });
  });
});

async function clients(): Promise<readonly object[]> {
  const jwk = { ...(await crypto.subtle.exportKey('jwk', keys.publicKey)), kid: 'k1', use: 'sig', alg: 'ES256' };
  const none = { response_types: [], redirect_uris: [] };
  const machine = { ...none, grant_types: ['client_credentials'], scope: 'agent:read agent:admin' };
  const device = {
    ...none,
    grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
    scope: 'openid offline_access agent:read',
  };
  return [
    { ...machine, client_id: MACHINE.clientId, client_secret: MACHINE.clientSecret },
    { ...machine, client_id: 'poster', client_secret: 'secret', token_endpoint_auth_method: 'client_secret_post' },
    {
      ...machine,
      client_id: 'signer',
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'ES256',
      jwks: { keys: [jwk] },
    },
    { ...device, client_id: 'device' },
    { ...device, client_id: 'too-late' },
    { ...none, grant_types: [], client_id: 'agent', client_secret: 'agent-secret', token_endpoint_auth_method: 'client_secret_post' },
  ];
}

function machineFlow(scopes: readonly string[] = []) {
  return withScopes(oauth2({ clientCredentials: { tokenUrl: `${peer.url}/token`, scopes: {} } }), scopes);
}

function deviceFlow() {
  return oauth2({ deviceCode: { deviceAuthorizationUrl: `${peer.url}/device/auth`, tokenUrl: `${peer.url}/token`, scopes: {} } });
}

/** Counts token requests. The poll interval is a twentieth of what the server requires. */
function counted(aheadMs: () => number = () => 0) {
  let requests = 0;
  const options = {
    allowInsecure: true,
    timeoutMs: 200_000,
    clock: {
      ...systemClock,
      now: () => Date.now() + aheadMs(),
      after: (delayMs: number, callback: () => void) => systemClock.after(delayMs / 20, callback),
    },
    fetch: (input, init) => {
      if (String(input).endsWith('/token')) requests += 1;
      return fetch(input, init);
    },
  } satisfies Partial<OAuthOptions>;
  return { options, tokenRequests: () => requests };
}

/** An agent that returns its caller, and a function that calls it. `seen` contains the tokens that the agent received. */
function agentWith(security: ReturnType<typeof oauth2>) {
  const seen: string[] = [];
  const agent = createAgent({
    name: 'Agent',
    security,
    async auth(request) {
      const [, token] = /^Bearer (.+)$/.exec(request.header('authorization') ?? '') ?? [];
      if (token === undefined) return undefined;
      seen.push(token);
      return introspect(token);
    },
    execute: async ({ caller }) => `${caller.id} may ${caller.scopes?.join(' ') || 'nothing'}`,
  });
  // The agent has the origin of the authorization server, so a card may name that server.
  const client = createClient(peer.url, { fetch: createTestFetch(agent, { url: peer.url }), retry: false });
  const call = async (credentials: Credentials, options: SendOptions = {}): Promise<string> =>
    (await client.send('whoami', { credentials, ...options })).text;
  return { call, seen };
}

async function introspect(token: string) {
  const answer = await post('/token/introspection', { token });
  return answer.active
    ? {
        id: String(answer.sub ?? answer.client_id),
        scopes: String(answer.scope ?? '')
          .split(' ')
          .filter(Boolean),
      }
    : undefined;
}

async function revoke(token: string, client?: string): Promise<void> {
  await post('/token/revocation', { token, ...(client && { client_id: client, client_secret: '' }) });
}

async function post(path: string, form: Readonly<Record<string, string>>): Promise<Record<string, unknown>> {
  const response = await fetch(`${peer.url}${path}`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'agent', client_secret: 'agent-secret', ...form }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${text}`);
  return text === '' ? {} : JSON.parse(text);
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}
