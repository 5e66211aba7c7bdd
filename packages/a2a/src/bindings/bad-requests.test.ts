// Requests that are refused before an operation runs, and whether the error states what is wrong.
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { bodyOf, endpointsOf, type FetchPath, fetchInProcess, restErrorOf, taskOf, userMessage, V1 } from '../../test/endpoints.js';
import { HOSTS } from '../../test/hosts.js';
import { createAgent } from '../server/create-agent.js';

const echo = () => createAgent({ name: 'Echo', auth: 'none', execute: ({ text }) => text });
const JSON_TYPE = { ...V1, 'content-type': 'application/json' };

describe('F14: all violations of a request', () => {
  test('F14: both bindings name every violation with its path, in the message and in the details', async () => {
    for (const door of endpointsOf(fetchInProcess(echo()))) {
      const { error } = await door.call('SendMessage', { message: { role: 'user', parts: [{ text: 1 }, {}] }, configuration: [] });
      const violations = error?.details.flatMap(({ fieldViolations = [] }) => fieldViolations) ?? [];
      expect(violations.map(({ field }) => field).sort()).toEqual(
        ['configuration', 'message.messageId', 'message.parts[0].text', 'message.parts[1]', 'message.role'].sort(),
      );
      for (const { field, description } of violations) expect(error?.message).toContain(`${field} ${description}`);
    }
  });

  test('F14: violations in the query are named too', async () => {
    const reply = await fetchInProcess(echo())('/tasks?pageSize=x&historyLength=-1&status=DONE&includeArtifacts=maybe', { headers: V1 });
    const error = await restErrorOf(reply);
    expect(reply.status).toBe(400);
    for (const name of ['pageSize', 'historyLength', 'status', 'includeArtifacts']) expect(error?.message).toContain(`${name} must be`);
  });

  test('F14: a parameter that is given more than once is named, with the count', async () => {
    const ask = async (query: string) => restErrorOf(await fetchInProcess(echo())(`/tasks?${query}`, { headers: V1 }));
    expect((await ask('pageSize=1&pageSize=2'))?.message).toBe('Invalid parameters: pageSize must be given once, but is given 2 times');
    const both = await ask('page_size=1&page_size=1&page_size=1&contextId=a&contextId=b');
    expect(both?.reason).toBe('INVALID_PARAMS');
    expect(both?.details.flatMap(({ fieldViolations = [] }) => fieldViolations.map(({ field }) => field))).toEqual([
      'contextId',
      'pageSize',
    ]);
    expect((await ask(`x=1&x=2&${'pageSize=1&'.repeat(50_000)}`))?.message).toContain('is given 50000 times');
  });
});

describe('F14: compressed bodies', () => {
  const rpcBody = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: userMessage('x') });
  const post = (knock: FetchPath, path: string, encoding: string, body: string | Uint8Array<ArrayBuffer>) =>
    knock(path, { method: 'POST', headers: { ...JSON_TYPE, 'content-encoding': encoding }, body });

  for (const { name, start } of HOSTS) {
    const isInflated = name.includes('express.json()');
    test(`F14: ${name}: a gzip body is ${isInflated ? 'read by the middleware that inflates it' : '415 that names the encoding'}`, async () => {
      await using host = await start(echo());
      const rpc = await post(host.knock, '/', 'gzip', new Uint8Array(gzipSync(rpcBody)));
      const rest = await post(host.knock, '/message:send', 'gzip', new Uint8Array(gzipSync(JSON.stringify(userMessage('x')))));
      if (isInflated) {
        expect([rpc.status, rest.status]).toEqual([200, 200]);
        return;
      }
      const message = expect.stringContaining('Content-Encoding gzip is not supported');
      expect([rpc.status, await bodyOf(rpc)]).toMatchObject([415, { jsonrpc: '2.0', id: null, error: { code: -32005, message } }]);
      expect([rest.status, await restErrorOf(rest)]).toMatchObject([415, { reason: 'CONTENT_TYPE_NOT_SUPPORTED', message }]);
      expect((await endpointsOf(host.knock)[0].call('SendMessage', userMessage('next'))).status).toBe(200);
    });
  }

  test('F14: identity is accepted; every other encoding is refused, no matter how long the value is', async () => {
    const knock = fetchInProcess(echo());
    for (const encoding of ['identity', 'Identity', '']) expect((await post(knock, '/', encoding, rpcBody)).status, encoding).toBe(200);
    for (const encoding of ['br', 'gzip, br', 'identity, gzip', 'x'.repeat(10_000)]) {
      const reply = await post(knock, '/', encoding, rpcBody);
      expect([reply.status, (await reply.text()).length < 1_000]).toEqual([415, true]);
    }
  });
});

describe('F14: a percent-encoded path', () => {
  for (const { name, start } of HOSTS) {
    test(`F14: ${name}: /message%3Asend sends`, async () => {
      await using host = await start(echo());
      const reply = await host.knock('/message%3Asend', { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(userMessage('x')) });
      expect([reply.status, Object.keys(await bodyOf<object>(reply))]).toEqual([200, ['task']]);
    });
  }

  test('F14: literal path segments may be percent-encoded, also with a tenant; ids keep their meaning', async () => {
    const knock = fetchInProcess(echo());
    const [, rest] = endpointsOf(knock);
    const { id } = taskOf(await rest.call('SendMessage', userMessage('x')));
    const statusOf = async (method: string, path: string) =>
      (await knock(path, { method, headers: JSON_TYPE, ...(method === 'POST' && { body: '{}' }) })).status;
    expect(await statusOf('GET', `/%74asks/${id}`)).toBe(200);
    expect(await statusOf('GET', `/t%61sks`)).toBe(200);
    expect(await statusOf('POST', `/acme/message%3Asend`)).toBe(400); // the route was found: the error is about the body
    const cancel = await knock(`/tasks/${id}%3Acancel`, { method: 'POST', headers: JSON_TYPE, body: '' });
    expect((await restErrorOf(cancel))?.reason).toBe('TASK_NOT_CANCELABLE');
    // GET has an operation for this path as sent: the task whose id ends with ":cancel".
    const get = await restErrorOf(await knock('/tasks/7%3Acancel', { headers: V1 }));
    expect(get?.reason).toBe('TASK_NOT_FOUND');
    expect(await statusOf('GET', '/message%3Asend')).toBe(405);
  });

  test('F14: an encoded slash does not separate segments, and an encoded percent sign is decoded once', async () => {
    const knock = fetchInProcess(echo());
    const post = (path: string) => knock(path, { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(userMessage('x')) });
    for (const path of ['/acme%2Fmessage:send', '/message%2Fsend', '/%2Fmessage:send', '/message%253Asend', '/tasks%2F1:cancel']) {
      expect((await post(path)).status, path).toBe(404);
    }
    const reply = await restErrorOf(await post('/tasks/a%2Fb%3Acancel'));
    expect(reply?.reason).toBe('TASK_NOT_FOUND');
  });

  test('F14: a path that is not percent-encoded UTF-8 is 400 with that reason', async () => {
    const knock = fetchInProcess(echo());
    for (const path of ['/message%3send', '/message%', '/message%zzsend', '/tasks/%ff', '/%c3%28']) {
      const reply = await knock(path, { method: 'POST', headers: JSON_TYPE, body: '{}' });
      expect([path, reply.status, (await restErrorOf(reply))?.message]).toEqual([path, 400, expect.stringContaining('percent-encoded')]);
    }
  });
});
