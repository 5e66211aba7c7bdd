// Which version a call of an agent uses if the agent contradicts its card, and what is remembered.
import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/client/create-client.js';
import { LOG_EXTENSION_URI } from '../../src/protocol/extensions.js';
import type { AgentCard } from '../../src/protocol/types.js';
import { manualClock } from '../../src/testing/manual-clock.js';
import { sse } from './scripted-fetch.js';
import { CARD_V03, type Json, peerOf, TASK, wrong } from './v03-peer.js';

const V1_TASK = { task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } } };

describe('D50: an agent that does not speak the version on its card', () => {
  const CARD_V1: Json = {
    ...CARD_V03,
    supportedInterfaces: [{ url: 'http://old.test/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  };

  test.each([-32601, -32009])(
    'D50: the card says 1.0 and the agent answers %i: the call is sent once more in 0.3, and the next one at once',
    async (code) => {
      const { client, asked } = peerOf(
        { SendMessage: () => wrong(code), 'message/send': () => ({ result: TASK }), 'tasks/get': () => ({ result: TASK }) },
        CARD_V1,
      );
      expect(await client.send('one')).toMatchObject({ taskId: 't' });
      await client.send('two');
      await client.getTask({ id: 't' });
      expect(asked).toEqual(['SendMessage 1.0', 'GetTask 1.0', 'message/send 0.3', 'message/send 0.3', 'tasks/get 0.3']);
    },
  );

  test.each([-32601, -32009])('D50: the card says 0.3 and the agent answers %i: the call is sent once more in 1.0', async (code) => {
    const { client, asked } = peerOf({ 'message/send': () => wrong(code), SendMessage: () => ({ result: V1_TASK }) });
    expect(await client.send('one')).toMatchObject({ taskId: 't' });
    await client.send('two');
    expect(asked).toEqual(['message/send 0.3', 'tasks/get 0.3', 'SendMessage 1.0', 'SendMessage 1.0']);
  });

  test('D50: an agent that changes its version between two calls is followed', async () => {
    let version = '1.0';
    const served = (own: string, result: Json) => () => (version === own ? { result } : wrong(-32601));
    const { client, asked } = peerOf({ SendMessage: served('1.0', V1_TASK), 'message/send': served('0.3', TASK) }, CARD_V1);
    await client.send('one');
    version = '0.3';
    await client.send('two');
    version = '1.0';
    await client.send('three');
    expect(asked).toEqual([
      'SendMessage 1.0',
      ...['SendMessage 1.0', 'GetTask 1.0', 'message/send 0.3'],
      ...['message/send 0.3', 'tasks/get 0.3', 'SendMessage 1.0'],
    ]);
  });

  test('D50: an agent that knows neither version is reported with its first error, and nothing is remembered', async () => {
    const { client, asked } = peerOf({ SendMessage: () => wrong(-32009, 'the first') }, CARD_V1);
    await expect(client.send('x')).rejects.toMatchObject({ message: 'the first' });
    await expect(client.send('x')).rejects.toMatchObject({ message: 'the first' });
    const both = ['SendMessage 1.0', 'GetTask 1.0', 'message/send 0.3', 'tasks/get 0.3'];
    expect(asked).toEqual([...both, ...both]);
  });

  test('D50: an error of the other version is the answer: the agent understood the call', async () => {
    const { client, asked } = peerOf({ 'tasks/get': () => wrong(-32001, 'no such task') }, CARD_V1);
    await expect(client.getTask({ id: 'x' })).rejects.toMatchObject({ reason: 'TASK_NOT_FOUND' });
    await expect(client.getTask({ id: 'x' })).rejects.toMatchObject({ reason: 'TASK_NOT_FOUND' });
    expect(asked).toEqual(['GetTask 1.0', 'tasks/get 0.3', 'tasks/get 0.3']);
  });

  test('D50: an operation that not every agent has, and other errors, are not tried again', async () => {
    const { client, asked } = peerOf({ SendMessage: () => wrong(-32602) }, { ...CARD_V1, capabilities: { extendedAgentCard: true } });
    await expect(client.getExtendedAgentCard({})).rejects.toMatchObject({ reason: 'METHOD_NOT_FOUND' });
    await expect(client.send('x')).rejects.toMatchObject({ reason: 'INVALID_PARAMS' });
    await expect(client.call('acme/dance')).rejects.toMatchObject({ reason: 'METHOD_NOT_FOUND' });
    expect(asked).toEqual(['GetExtendedAgentCard 1.0', 'SendMessage 1.0', 'acme/dance 1.0']);
  });

  test('D50: over HTTP+JSON, a path that does not exist is tried in the other version', async () => {
    const paths: string[] = [];
    const rest = {
      ...CARD_V1,
      supportedInterfaces: [{ url: 'http://old.test/api', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' }],
    };
    const fetch: typeof globalThis.fetch = async (input) => {
      const { pathname } = new URL(String(input));
      paths.push(pathname);
      if (pathname.endsWith('agent-card.json')) return Response.json(rest);
      if (pathname !== '/api/v1/message:send') return new Response('<html>Cannot POST</html>', { status: 404 });
      return Response.json({ task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } } }, { status: 201 });
    };
    const client = createClient('http://old.test', { fetch, retry: false });
    expect(await client.send('x')).toMatchObject({ taskId: 't' });
    await client.send('y');
    expect(paths.slice(1)).toEqual([
      '/api/message:send',
      expect.stringMatching(/^\/api\/tasks\/[^/]+$/),
      '/api/v1/message:send',
      '/api/v1/message:send',
    ]);
  });

  test('D50: no message is sent again after the bytes of the first one may have been processed', async () => {
    const { client, asked } = peerOf({ SendMessage: () => new Response('', { status: 500 }) }, CARD_V1);
    await expect(client.send('x')).rejects.toMatchObject({ httpStatus: 500 });
    expect(asked).toEqual(['SendMessage 1.0']);
  });

  test('D50: of a card with `url` and `supportedInterfaces` at different addresses, those of 1.0 are used', async () => {
    const { client, asked } = peerOf({ SendMessage: () => ({ result: V1_TASK }) }, { ...CARD_V1, url: 'http://old.test/elsewhere' });
    await client.send('x');
    expect(asked).toEqual(['SendMessage 1.0']);
  });

  test('D50: of a card with interfaces of both versions, those of 1.0 are used first, whatever their order', async () => {
    const at = (protocolVersion: string): Json => ({
      url: `http://old.test/${protocolVersion}`,
      protocolBinding: 'JSONRPC',
      protocolVersion,
    });
    const { client, asked } = peerOf(
      { SendMessage: () => ({ result: V1_TASK }) },
      { ...CARD_V03, supportedInterfaces: [at('0.3'), at('1.0')] },
    );
    await client.send('x');
    expect(asked).toEqual(['SendMessage 1.0']);
  });
});

describe('D50: the second attempt', () => {
  const CARD_V1: Json = {
    ...CARD_V03,
    supportedInterfaces: ['a', 'b'].map((path) => ({ url: `http://old.test/${path}`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' })),
  };
  const dropped = (): never => {
    throw new TypeError('terminated');
  };

  test('D50, D33: a failure after its bytes were sent is reported as such, and no other interface is tried', async () => {
    const { client, asked } = peerOf({ SendMessage: () => wrong(-32009), 'message/send': dropped }, CARD_V1);
    await expect(client.send('x')).rejects.toMatchObject({ name: 'A2ATransportError', sent: true });
    expect(asked).toEqual(['SendMessage 1.0', 'GetTask 1.0', 'message/send 0.3']);
  });

  test('D50: an abort and a refusal for another reason are the error of the call, and are not remembered', async () => {
    const busy = (): Response => Response.json({}, { status: 503 });
    const { client, asked } = peerOf({ SendMessage: () => wrong(-32601), 'message/send': busy }, CARD_V1);
    await expect(client.send('x')).rejects.toMatchObject({ reason: 'AGENT_UNAVAILABLE' });
    await expect(client.send('x')).rejects.toMatchObject({ reason: 'AGENT_UNAVAILABLE' });
    const calls = ['SendMessage 1.0', 'GetTask 1.0', 'message/send 0.3'];
    expect(asked).toEqual([...calls, ...calls]);
    const leaving = new AbortController();
    const other = peerOf(
      {
        SendMessage: () => wrong(-32601),
        'message/send': () => {
          leaving.abort();
          return wrong(-32603);
        },
      },
      CARD_V1,
    );
    await expect(other.client.send('x', { signal: leaving.signal })).rejects.toMatchObject({ reason: 'ABORTED' });
  });

  test('D50: concurrent first calls all succeed, and the version is remembered once', async () => {
    const { client, asked } = peerOf({ 'message/send': () => ({ result: TASK }) }, CARD_V1);
    await Promise.all(Array.from({ length: 6 }, (_, index) => client.send(`message ${index}`)));
    asked.length = 0;
    await client.send('later');
    expect(asked).toEqual(['message/send 0.3']);
  });

  test('D50: what was learned ends after five minutes, so that an upgraded agent is called in 1.0 again', async () => {
    const clock = manualClock(Date.UTC(2026, 0, 1));
    const { client, asked } = peerOf({ 'message/send': () => ({ result: TASK }), 'tasks/get': () => ({ result: TASK }) }, CARD_V1, {
      clock,
    });
    await client.send('x');
    await client.getTask({ id: 't' });
    expect(asked.at(-1)).toBe('tasks/get 0.3');
    await clock.tick(5 * 60_000);
    await client.getTask({ id: 't' });
    expect(asked.slice(-2)).toEqual(['GetTask 1.0', 'tasks/get 0.3']);
  });

  test('D50: a stream teaches the version with its first event, not with its headers', async () => {
    const refused = (id: number): Response =>
      sse(`event: error\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } })}\n\n`);
    const { client, asked } = peerOf({ 'message/stream': (_, id) => refused(id) }, CARD_V1);
    await expect(client.run('x').result).rejects.toThrow();
    asked.length = 0;
    await expect(client.listTasks({})).rejects.toMatchObject({ reason: 'METHOD_NOT_FOUND' });
    expect(asked, 'still 1.0').toEqual(['ListTasks 1.0']);
  });

  test('D50: a call with a tenant is not sent in 0.3, where the tenant would be lost', async () => {
    const { client, asked } = peerOf({ 'message/send': () => ({ result: TASK }) }, CARD_V1);
    await expect(client.send('x', { tenant: 'acme' })).rejects.toMatchObject({ reason: 'METHOD_NOT_FOUND' });
    expect(asked).toEqual(['SendMessage 1.0']);
    const tenanted = {
      ...CARD_V03,
      supportedInterfaces: [{ url: 'http://old.test/a', protocolBinding: 'JSONRPC', protocolVersion: '0.3', tenant: 'acme' }],
    };
    await expect(peerOf({}, tenanted).client.send('x')).rejects.toMatchObject({
      reason: 'UNSUPPORTED_OPERATION',
      message: expect.stringContaining('no tenants'),
    });
  });

  test('D50: of two versions of one interface, each is asked once', async () => {
    const both = {
      ...CARD_V03,
      supportedInterfaces: ['1.0', '0.3'].map((protocolVersion) => ({
        url: 'http://old.test/a',
        protocolBinding: 'JSONRPC',
        protocolVersion,
      })),
    };
    const { client, asked } = peerOf({ SendMessage: () => wrong(-32009), 'message/send': () => wrong(-32009) }, both);
    await expect(client.send('x')).rejects.toMatchObject({ reason: 'VERSION_NOT_SUPPORTED' });
    expect(asked).toEqual(['SendMessage 1.0', 'GetTask 1.0', 'message/send 0.3']);
  });
});

describe('D50: a refusal that does not prove that nothing was executed', () => {
  const CARD_V1: Json = {
    ...CARD_V03,
    supportedInterfaces: [{ url: 'http://old.test/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  };
  const relayed = (code: number): Json => {
    const data = { currentAgent: 'Old', downstreamAgent: 'Printer', downstreamError: { code, message: 'no' }, retryable: false };
    return { error: { code, message: 'no', data } };
  };

  test.each([-32601, -32009])('D50: %i of an agent that knows GetTask in this version is the error of the call', async (code) => {
    const done = { 'message/send': () => ({ result: TASK }) };
    const current = peerOf({ ...done, SendMessage: () => wrong(code, 'from inside'), GetTask: () => wrong(-32001) }, CARD_V1);
    await expect(current.client.send('x')).rejects.toMatchObject({ code, message: 'from inside' });
    expect(current.asked).toEqual(['SendMessage 1.0', 'GetTask 1.0']);
    const old = peerOf({ 'message/send': () => wrong(code), 'tasks/get': () => ({ result: TASK }), SendMessage: () => ({ result: TASK }) });
    await expect(old.client.send('x')).rejects.toMatchObject({ code });
    expect(old.asked).toEqual(['message/send 0.3', 'tasks/get 0.3']);
  });

  test('D50: an agent that fails in another way at the question for a task proves nothing', async () => {
    for (const answer of [() => wrong(-32603), () => new Response('', { status: 503 })]) {
      const { client, asked } = peerOf({ GetTask: answer, 'message/send': () => ({ result: TASK }) }, CARD_V1);
      await expect(client.send('x')).rejects.toMatchObject({ reason: 'METHOD_NOT_FOUND' });
      expect(asked).toEqual(['SendMessage 1.0', 'GetTask 1.0']);
    }
  });

  test('D50: an error with the chain of another agent came from inside, whatever else the agent knows', async () => {
    const { client, asked } = peerOf({ SendMessage: () => relayed(-32601), 'message/send': () => ({ result: TASK }) }, CARD_V1);
    await expect(client.send('x')).rejects.toMatchObject({ reason: 'METHOD_NOT_FOUND', chain: [{ downstreamAgent: 'Printer' }] });
    expect(asked).toEqual(['SendMessage 1.0']);
  });

  test('D50: "version not supported" from inside is not sent to the next interface', async () => {
    const interfaces = ['a', 'b'].map((path) => ({ url: `http://old.test/${path}`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }));
    for (const compat of [true, false]) {
      const { client, urls, asked } = peerOf(
        { SendMessage: () => wrong(-32009), GetTask: () => wrong(-32001) },
        { ...CARD_V1, supportedInterfaces: interfaces },
        { compat },
      );
      await expect(client.send('x')).rejects.toMatchObject({ reason: 'VERSION_NOT_SUPPORTED' });
      expect([asked, urls]).toEqual([
        ['SendMessage 1.0', 'GetTask 1.0'],
        ['http://old.test/a', 'http://old.test/a'],
      ]);
    }
  });

  test('D50: a second refusal from inside ends the call: another interface would execute it again', async () => {
    const interfaces = ['a', 'b'].map((path) => ({ url: `http://old.test/${path}`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }));
    const { client, asked } = peerOf(
      { SendMessage: () => wrong(-32009, 'first'), 'message/send': () => wrong(-32601, 'second'), 'tasks/get': () => wrong(-32001) },
      { ...CARD_V1, supportedInterfaces: interfaces },
    );
    await expect(client.send('x')).rejects.toMatchObject({ message: 'second' });
    expect(asked).toEqual(['SendMessage 1.0', 'GetTask 1.0', 'message/send 0.3', 'tasks/get 0.3']);
  });

  test('D50: a caller that leaves during the proof gets ABORTED, and nothing more is sent', async () => {
    const leaving = new AbortController();
    const gone = (): Json => {
      leaving.abort();
      return wrong(-32601);
    };
    const { client, asked } = peerOf({ GetTask: gone, 'message/send': () => ({ result: TASK }) }, CARD_V1);
    await expect(client.send('x', { signal: leaving.signal })).rejects.toMatchObject({ reason: 'ABORTED' });
    expect(asked).toEqual(['SendMessage 1.0', 'GetTask 1.0']);
  });

  test('D50: reading and canceling need no proof', async () => {
    const { client, asked } = peerOf({ 'tasks/get': () => ({ result: TASK }), 'tasks/cancel': () => ({ result: TASK }) }, CARD_V1);
    await client.cancelTask({ id: 't' });
    expect(asked).toEqual(['CancelTask 1.0', 'tasks/cancel 0.3']);
  });

  test('D50, D17: the second attempt has the message id and the key of the first, and with a key no proof is needed', async () => {
    const log = { uri: LOG_EXTENSION_URI, params: { idempotencyKey: true, lastEventId: true } };
    const { client, asked, bodies, keys } = peerOf(
      { 'message/send': () => ({ result: TASK }) },
      { ...CARD_V1, capabilities: { extensions: [log] } },
    );
    await client.send('x', { idempotencyKey: 'a-key-that-is-long-enough' });
    expect(asked).toEqual(['SendMessage 1.0', 'message/send 0.3']);
    const ids = bodies.map(({ message }) => (message as Json).messageId);
    expect(ids[0]).toMatch(/./);
    expect(ids[1]).toBe(ids[0]);
    expect(keys).toEqual(['a-key-that-is-long-enough', 'a-key-that-is-long-enough']);
  });
});

describe('D50: the version header and the interface of each attempt', () => {
  const rpc = (protocolVersion?: string): Json => ({
    url: 'http://old.test/rpc',
    protocolBinding: 'JSONRPC',
    ...(protocolVersion !== undefined && { protocolVersion }),
  });
  const done = { SendMessage: () => ({ result: V1_TASK }), 'message/send': () => ({ result: TASK }) };

  test.each([
    ['0.2.0', ['message/send 0.3', 'tasks/get 0.3', 'SendMessage 1.0', 'GetTask 1.0']],
    ['0.4', ['message/send 0.3', 'tasks/get 0.3', 'SendMessage 1.0', 'GetTask 1.0']],
    ['', ['SendMessage 1.0', 'GetTask 1.0', 'message/send 0.3', 'tasks/get 0.3']],
    [undefined, ['SendMessage 1.0', 'GetTask 1.0', 'message/send 0.3', 'tasks/get 0.3']],
    ['latest', ['SendMessage 1.0', 'GetTask 1.0', 'message/send 0.3', 'tasks/get 0.3']],
  ])('D50: an interface of version %j gets the header of the version in which each call is sent', async (declared, expected) => {
    const { client, asked } = peerOf({}, { ...CARD_V03, supportedInterfaces: [rpc(declared)] });
    await expect(client.send('x')).rejects.toMatchObject({ reason: 'METHOD_NOT_FOUND' });
    expect(asked).toEqual(expected);
  });

  test('D50: a card of 0.2, whose agent speaks 1.0, is called in 1.0 from the second attempt on', async () => {
    const { client, asked } = peerOf({ SendMessage: done.SendMessage }, { ...CARD_V03, protocolVersion: '0.2.6' });
    await client.send('one');
    await client.send('two');
    expect(asked).toEqual(['message/send 0.3', 'tasks/get 0.3', 'SendMessage 1.0', 'SendMessage 1.0']);
  });

  test('D50: of two versions of one interface, the one that worked is asked first from then on', async () => {
    const twins = { ...CARD_V03, supportedInterfaces: [rpc('1.0'), rpc('0.3')] };
    const { client, asked } = peerOf({ SendMessage: () => wrong(-32009), 'message/send': done['message/send'] }, twins);
    await client.send('one');
    await client.send('two');
    expect(asked).toEqual(['SendMessage 1.0', 'GetTask 1.0', 'message/send 0.3', 'message/send 0.3']);
  });

  test('D50: what a client learned holds for its withHeaders clients, and for no other client, agent or interface', async () => {
    const { client, asked, urls } = peerOf({ 'message/send': done['message/send'] }, { ...CARD_V03, supportedInterfaces: [rpc('1.0')] });
    await client.send('one');
    asked.length = 0;
    await client.withHeaders({ 'x-user': 'ann' }).send('two');
    expect(asked).toEqual(['message/send 0.3']);
    const twoAgents = ['a', 'b'].map((name) => ({ ...rpc('1.0'), url: `http://old.test/${name}` }));
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const { id, method } = JSON.parse(String(init?.body));
      urls.push(`${method} ${new URL(String(input)).pathname}`);
      if (method !== 'message/send') return Response.json({ jsonrpc: '2.0', id, ...wrong(-32601) });
      return Response.json({ jsonrpc: '2.0', id, result: TASK });
    };
    urls.length = 0;
    for (const at of twoAgents) {
      await createClient({ ...CARD_V03, supportedInterfaces: [at] } as unknown as AgentCard, { fetch, retry: false }).send('three');
    }
    expect(urls.filter((call) => call.startsWith('SendMessage'))).toEqual(['SendMessage /a', 'SendMessage /b']);
  });
});
