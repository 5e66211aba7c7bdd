// Which version a call of an agent uses if the agent contradicts its card, and what is remembered.
import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/client/create-client.js';
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
    const { client, asked, urls } = peerOf({ SendMessage: () => ({ result: V1_TASK }) }, { ...CARD_V1, url: 'http://old.test/elsewhere' });
    await client.send('x');
    expect([asked, urls]).toEqual([['SendMessage 1.0'], ['http://old.test/rpc']]);
  });

  test('D50: of a card with interfaces of both versions, those of 1.0 are used first, whatever their order', async () => {
    const at = (protocolVersion: string): Json => ({
      url: `http://old.test/${protocolVersion}`,
      protocolBinding: 'JSONRPC',
      protocolVersion,
    });
    const { client, asked, urls } = peerOf(
      { SendMessage: () => ({ result: V1_TASK }) },
      { ...CARD_V03, supportedInterfaces: [at('0.3'), at('1.0')] },
    );
    await client.send('x');
    expect([asked, urls]).toEqual([['SendMessage 1.0'], ['http://old.test/1.0']]);
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
