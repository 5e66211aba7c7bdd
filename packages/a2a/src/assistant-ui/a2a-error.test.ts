import * as peer from '@assistant-ui/react-a2a';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { json, scriptedFetch } from '../../test/client/scripted-fetch.js';
import { isA2AError, A2AError as ParleyError } from '../protocol/errors.js';
import { A2AError, toThrown } from './a2a-error.js';
import { A2AClient } from './client.js';

function failing(answer: Response | (() => never)) {
  const { fetch } = scriptedFetch(answer);
  return new A2AClient({ baseUrl: 'http://agent.test' }, { fetch, retry: false }).getTask('t');
}

describe('U10: A2AError', () => {
  test('has the constructor and the fields of the one in react-a2a', () => {
    expectTypeOf<A2AError>().toExtend<peer.A2AError>();
    expectTypeOf<peer.A2AError>().toExtend<A2AError>();
    const info = { code: 404, status: 'NOT_FOUND', message: 'No such task', details: [{ a: 1 }] };
    const [ours, theirs] = [new A2AError(info), new peer.A2AError(info)];
    expect(ours).toBeInstanceOf(Error);
    expect({ ...ours, text: String(ours) }).toEqual({ ...theirs, text: String(theirs) });
    expect(new A2AError({ code: 1, status: '', message: '' }).details).toBeUndefined();
  });

  test('takes code, status, message and details from the body', async () => {
    const details = [
      { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'TASK_NOT_FOUND', domain: 'a2a-protocol.org' },
      { own: 1 },
    ];
    const error = { code: 404, status: 'NOT_FOUND', message: 'No such task', details };
    const thrown = await failing(json({ error }, 404)).catch((caught: unknown) => caught);
    expect(thrown).toBeInstanceOf(A2AError);
    expect(thrown).toMatchObject(error);
  });

  test.each<[string, Response, object]>([
    ['a page', new Response('<html>Bad gateway</html>', { status: 502 }), { code: 502, status: 'UNAVAILABLE' }],
    [
      'text',
      new Response('go away', { status: 403 }),
      { code: 403, status: 'PERMISSION_DENIED', message: expect.stringContaining('go away') },
    ],
    ['nothing', new Response('', { status: 500 }), { code: 500, status: 'INTERNAL', message: expect.stringContaining('500') }],
    ['broken JSON', new Response('{', { status: 429 }), { code: 429, status: 'RESOURCE_EXHAUSTED' }],
    ['a problem', json({ title: 'No', detail: 'Not here' }, 422), { code: 422, message: 'Not here' }],
  ])('has the HTTP status if the body is %s', async (_name, answer, expected) => {
    const thrown = await failing(answer).catch((caught: unknown) => caught);
    expect(thrown).toMatchObject({ name: 'A2AError', details: undefined, ...expected });
  });

  test('is thrown if there is no response, with the original error as its cause', async () => {
    const fetchFailed = new TypeError('fetch failed');
    const thrown = await failing(() => {
      throw fetchFailed;
    }).catch((caught: unknown) => caught);
    expect(thrown).toMatchObject({ name: 'A2AError', code: 503, status: 'UNAVAILABLE' });
    const { cause } = thrown as A2AError;
    expect(isA2AError(cause) && cause.cause).toBe(fetchFailed);
  });

  test('does not replace an error that Parley did not throw', () => {
    const own = new Error('mine');
    expect(toThrown(own, AbortSignal.abort())).toBe(own);
  });

  test('keeps its code if an aborted signal did not cause it', () => {
    expect(toThrown(new ParleyError('TASK_NOT_FOUND', 'gone'), AbortSignal.abort())).toMatchObject({ code: 404, status: 'NOT_FOUND' });
  });
});
