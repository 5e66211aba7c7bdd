// Each attempt of a call in the other version: when a message may be sent again, and with which header, key and address.
import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/client/create-client.js';
import { LOG_EXTENSION_URI } from '../../src/protocol/extensions.js';
import type { AgentCard } from '../../src/protocol/types.js';
import { CARD_V03, type Json, peerOf, TASK, wrong } from './v03-peer.js';

const V1_TASK = { task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } } };

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

  test.each([-32601, -32009])(
    'D50: %i from inside at the second attempt ends the call: another interface would execute it again',
    async (code) => {
      const interfaces = ['a', 'b'].map((path) => ({ url: `http://old.test/${path}`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }));
      const { client, asked } = peerOf(
        { SendMessage: () => wrong(-32009, 'first'), 'message/send': () => wrong(code, 'second'), 'tasks/get': () => wrong(-32001) },
        { ...CARD_V1, supportedInterfaces: interfaces },
      );
      await expect(client.send('x')).rejects.toMatchObject({ message: 'second' });
      expect(asked).toEqual(['SendMessage 1.0', 'GetTask 1.0', 'message/send 0.3', 'tasks/get 0.3']);
    },
  );

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

  test('D50: an interface without a version, whose agent speaks 0.3, is called in 0.3 from the second attempt on', async () => {
    for (const declared of [undefined, '', ' ']) {
      const { client, asked, urls } = peerOf(
        { 'message/send': done['message/send'] },
        { ...CARD_V03, supportedInterfaces: [rpc(declared)] },
      );
      expect(await client.send('one')).toMatchObject({ taskId: 't' });
      await client.send('two');
      expect(asked).toEqual(['SendMessage 1.0', 'GetTask 1.0', 'message/send 0.3', 'message/send 0.3']);
      expect(new Set(urls)).toEqual(new Set(['http://old.test/rpc']));
    }
  });

  test('D50: a card in the form of 0.3 without a version is called in 0.3', async () => {
    const { protocolVersion: _, ...card } = CARD_V03;
    const { client, asked } = peerOf({ 'message/send': done['message/send'] }, card);
    await client.send('one');
    expect(asked).toEqual(['message/send 0.3']);
  });

  test('D50: an agent that changes its version at each call is never asked more than once per version', async () => {
    let isOld = false;
    const served = (old: boolean, result: Json) => () => (isOld === old ? { result } : wrong(-32601));
    const { client, asked } = peerOf(
      { SendMessage: served(false, V1_TASK), 'message/send': served(true, TASK) },
      { ...CARD_V03, supportedInterfaces: [rpc('1.0')] },
    );
    for (let call = 0; call < 6; call += 1) {
      isOld = !isOld;
      asked.length = 0;
      expect(await client.send(`call ${call}`)).toMatchObject({ taskId: 't' });
      const sends = asked.filter((one) => !/get/i.test(one));
      expect(new Set(sends).size, String(sends)).toBe(sends.length);
    }
  });

  test('D50: answers in the form of the other version are read, or refused as unreadable', async () => {
    const old = peerOf({ SendMessage: () => ({ result: TASK }) }, { ...CARD_V03, supportedInterfaces: [rpc('1.0')] });
    expect(await old.client.send('x')).toMatchObject({ taskId: 't', state: 'TASK_STATE_COMPLETED' });
    const current = peerOf({ 'message/send': () => ({ result: V1_TASK }) });
    expect(await current.client.send('x')).toMatchObject({ taskId: 't', state: 'TASK_STATE_COMPLETED' });
    const neither = peerOf({ 'message/send': () => ({ result: { kind: 'poem', lines: 4 } }) });
    await expect(neither.client.send('x')).rejects.toMatchObject({ reason: 'INVALID_AGENT_RESPONSE' });
    expect([...old.asked, ...current.asked, ...neither.asked]).toEqual(['SendMessage 1.0', 'message/send 0.3', 'message/send 0.3']);
  });
});
