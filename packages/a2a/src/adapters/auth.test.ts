// The request that each host passes to `auth`, and the reply to callers when `auth` throws.
import { createServer, IncomingMessage } from 'node:http';
import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { endpointsOf, type FetchPath, fetchInProcess, V1 } from '../../test/endpoints.js';
import { EXPRESSES, HOSTS, run, runHono } from '../../test/hosts.js';
import type { ErrorContext } from '../platform/logger.js';
import { A2AError } from '../protocol/errors.js';
import { apiKey, bearer } from '../protocol/security.js';
import { createAgent } from '../server/create-agent.js';
import type { Authenticate } from '../server/options.js';
import type { HostRequest } from '../wire/http.js';
import { expressHandler } from './express.js';
import { fetchHandler } from './fetch.js';
import { honoHandler } from './hono.js';
import { listen, nodeHandler } from './node.js';

declare global {
  namespace Express {
    interface Request {
      /** Declared as Passport declares it. */
      user?: { readonly name: string };
    }
  }
}

interface Report {
  readonly error: A2AError;
  readonly where: ErrorContext;
}

function agentWith(auth: Authenticate) {
  const reports: Report[] = [];
  const onError = (error: A2AError, where: ErrorContext) => reports.push({ error, where });
  return { agent: createAgent({ name: 'Echo', execute: ({ text }) => text, auth, security: bearer(), onError }), reports };
}

class JWTExpired extends Error {
  readonly code = 'ERR_JWT_EXPIRED';
}

const THROWN: readonly (readonly [string, unknown])[] = [
  ['the error of a JWT library', new JWTExpired('"exp" claim timestamp check failed')],
  ['a TypeError', new TypeError("Cannot read properties of undefined (reading 'slice')")],
  ['a string', 'no such token: secret'],
  ['undefined', undefined],
  ['null', null],
  [
    'an object that throws when it is read',
    new Proxy({}, { get: () => expect.fail('was read'), getOwnPropertyDescriptor: () => undefined }),
  ],
  ['an internal A2AError', new A2AError('INTERNAL_ERROR', 'no such token: secret')],
  ['an A2AError about parameters', new A2AError('INVALID_PARAMS', 'no such token: secret')],
];

describe('F20: an auth that throws', () => {
  test.each(THROWN)('F20: %s is 401 with a challenge in both bindings, and reported once', async (_, thrown) => {
    for (const isAsync of [false, true]) {
      const { agent, reports } = agentWith(() => {
        if (isAsync) return Promise.reject(thrown);
        throw thrown;
      });
      for (const [index, door] of endpointsOf(fetchInProcess(agent)).entries()) {
        const { status, error, headers, text } = await door.call('ListTasks', {}, { 'x-request-id': `r${index}` });
        expect([door.name, status, error?.reason, headers.get('www-authenticate')]).toEqual([door.name, 401, 'AUTH_REQUIRED', 'Bearer']);
        expect(text).not.toMatch(/secret|claim|slice/);
        expect(reports).toHaveLength(index + 1);
        expect(reports[index]?.error.reason).toBe('AUTH_REQUIRED');
        expect(reports[index]?.error.cause === thrown).toBe(true);
        expect(reports[index]?.where).toEqual({ requestId: `r${index}` });
      }
    }
  });

  test('F20: the body is not read when the credentials could not be verified', async () => {
    const { agent } = agentWith(() => Promise.reject(new Error('expired')));
    let isRead = false;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          isRead = true;
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const init = { method: 'POST', headers: { ...V1, 'content-type': 'application/json' }, body, duplex: 'half' } as RequestInit;
    expect([(await fetchInProcess(agent)('/', init)).status, isRead]).toEqual([401, false]);
  });

  test.each([
    ['AUTH_REQUIRED', 401],
    ['INSUFFICIENT_SCOPE', 403],
    ['RATE_LIMITED', 429],
    ['AGENT_UNAVAILABLE', 503],
  ] as const)('F20: an A2AError with the reason %s is sent as it is, and not reported', async (reason, expected) => {
    const { agent, reports } = agentWith(() => {
      throw new A2AError(reason, 'stated on purpose', { retryAfterMs: 2_000 });
    });
    for (const door of endpointsOf(fetchInProcess(agent))) {
      const { status, error, headers } = await door.call('ListTasks');
      expect([status, error?.reason, error?.message, headers.get('retry-after')]).toEqual([expected, reason, 'stated on purpose', '2']);
    }
    expect(reports).toEqual([]);
  });

  test('F20: an error of another agent inside auth is not sent as an error about the caller', async () => {
    const { agent, reports } = agentWith(() => {
      throw new A2AError('RATE_LIMITED', 'the quota of the identity agent is used up', { peer: 'https://identity.test' });
    });
    const { status, text } = await endpointsOf(fetchInProcess(agent))[1].call('ListTasks');
    expect([status, reports.length]).toEqual([401, 1]);
    expect(text).not.toContain('quota');
  });

  test('F20: callers with valid credentials are served while others are refused', async () => {
    const { agent } = agentWith(async (request) => {
      if (request.header('authorization') !== 'Bearer good') throw new JWTExpired('expired');
      return { id: 'ann' };
    });
    const [, rest] = endpointsOf(fetchInProcess(agent));
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const { status } = await rest.call('ListTasks', {}, { authorization: n % 2 === 0 ? 'Bearer good' : 'Bearer old' });
        return status;
      }),
    );
    expect(statuses).toEqual(Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? 200 : 401)));
  });

  test('F20: the challenge names the declared scheme even if auth throws', async () => {
    const auth = () => Promise.reject(new Error('no'));
    const agent = createAgent({ name: 'Echo', execute: () => 'x', auth, security: apiKey('x-api-key') });
    const reply = await fetchInProcess(agent)('/tasks', { headers: V1 });
    expect([reply.status, reply.headers.get('www-authenticate')]).toEqual([401, 'ApiKey']);
  });

  for (const { name, start } of HOSTS) {
    test(`F20: ${name}: an auth that throws results in 401`, async () => {
      await using host = await start(agentWith(() => Promise.reject(new JWTExpired('expired'))).agent);
      for (const door of endpointsOf(host.knock)) expect((await door.call('ListTasks')).status).toBe(401);
    });
  }
});

/** The statuses for a request without credentials of its own. */
async function isServed(knock: FetchPath): Promise<readonly number[]> {
  return Promise.all(endpointsOf(knock).map(async (door) => (await door.call('ListTasks')).status));
}

describe("F21: auth gets the host's own request", () => {
  for (const [name, framework] of EXPRESSES) {
    test(`F21: ${name}: auth gets the user that a middleware has set`, async () => {
      const seen: HostRequest[] = [];
      const { agent } = agentWith(({ host }) => {
        seen.push(host);
        return host.express?.user && { id: host.express.user.name };
      });
      const app = framework().use((request, _response, next) => {
        if (request.headers['x-session'] === 'ann') Object.assign(request, { user: { name: 'ann' } });
        next();
      });
      await using host = await run(createServer(app.use('/agent', expressHandler(agent))), agent, '/agent');
      expect(await isServed(host.knock)).toEqual([401, 401]);
      expect(await isServed((path, init) => host.knock(path, { ...init, headers: { ...init?.headers, 'x-session': 'ann' } }))).toEqual([
        200, 200,
      ]);
      expect(seen.every(({ express, node }) => express === node && node instanceof IncomingMessage)).toBe(true);
    });
  }

  test('F21: Hono: auth gets the variable that a middleware has set', async () => {
    const seen: HostRequest[] = [];
    const { agent } = agentWith(({ host }) => {
      seen.push(host);
      const name: unknown = host.hono?.get('user');
      return typeof name === 'string' ? { id: name } : undefined;
    });
    const app = new Hono<{ Variables: { user: string } }>();
    app.use(async (context, next) => {
      if (context.req.header('x-session') === 'ann') context.set('user', 'ann');
      await next();
    });
    app.all('*', honoHandler(agent));
    await using host = await runHono(app, agent);
    expect(await isServed(host.knock)).toEqual([401, 401]);
    expect(await isServed((path, init) => host.knock(path, { ...init, headers: { ...init?.headers, 'x-session': 'ann' } }))).toEqual([
      200, 200,
    ]);
    expect(seen.every(({ hono, fetch, node }) => hono?.req.raw === fetch && node === undefined)).toBe(true);
  });

  test('F21: fetch: auth gets the original request, and no other argument of the host', async () => {
    const seen: HostRequest[] = [];
    const { agent } = agentWith(({ host }) => {
      seen.push(host);
      return { id: 'ann' };
    });
    const handle: (request: Request, ...more: unknown[]) => Promise<Response> = fetchHandler(agent);
    const request = new Request('http://agent.test/tasks', { headers: V1 });
    expect((await handle(request, { SECRET: 'of the environment' }, {})).status).toBe(200);
    expect(seen).toEqual([{ fetch: request }]);
    expect(seen[0]?.fetch).toBe(request);
  });

  test('F21: Node: auth gets the message, whose socket has the client certificate', async () => {
    const auth: Authenticate = ({ host }) =>
      host.node?.socket.remoteAddress === '127.0.0.1' && host.express === undefined ? { id: 'local' } : undefined;
    const { agent } = agentWith(auth);
    await using own = await run(createServer(nodeHandler(agent)), agent);
    expect(await isServed(own.knock)).toEqual([200, 200]);
    const listening = await listen(agentWith(auth).agent, { port: 0 });
    expect(await isServed((path, init) => fetch(`${listening.url}${path}`, init))).toEqual([200, 200]);
    await listening.close({ drainMs: 0 });
  });
});
