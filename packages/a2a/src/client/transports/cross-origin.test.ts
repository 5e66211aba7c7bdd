import { afterEach, describe, expect, test, vi } from 'vitest';
import type { HttpRequest } from './exchange.js';
import { type FetchExchangeOptions, fetchExchange } from './fetch-exchange.js';

afterEach(() => vi.unstubAllGlobals());

const PAGE = 'https://app.example';
const post = (more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'POST',
  url: 'https://agent.example/rpc?key=secret',
  headers: { accept: 'application/json', 'content-type': 'application/json', 'a2a-version': '1.0', authorization: 'Bearer secret' },
  body: '{}',
  signal: undefined,
  timeouts: {},
  ...more,
});

/** The error of a browser for every failure. */
const failed = async (): Promise<never> => {
  throw new TypeError('Failed to fetch');
};

function enterPage(origin = PAGE): void {
  vi.stubGlobal('document', {});
  vi.stubGlobal('location', { origin, href: `${origin}/chat` });
}

async function failureOf(request = post(), options: FetchExchangeOptions = { fetch: failed }) {
  return fetchExchange(options)(request).then(
    () => Promise.reject(new Error('the server responded')),
    (thrown: unknown) => thrown,
  );
}

describe('F37: a request of a page that the browser refuses', () => {
  test('F37: names CORS, the origin of the page and the headers that the agent must send', async () => {
    enterPage();
    expect(await failureOf()).toMatchObject({
      name: 'A2ATransportError',
      kind: 'network',
      sent: true,
      message:
        'The connection to https://agent.example broke before the response. The browser does not say why. If the agent is running, the likely cause is ' +
        'CORS: the agent does not allow requests from https://app.example. It must respond, also to OPTIONS, with ' +
        'Access-Control-Allow-Origin: https://app.example; Access-Control-Allow-Headers: a2a-version, authorization, content-type',
    });
  });

  test('F37: names the method DELETE, and credentials if they are sent', async () => {
    enterPage();
    const request = post({ method: 'DELETE', headers: { accept: 'application/json' }, body: undefined });
    const error = await failureOf(request, { fetch: failed, fetchOptions: { credentials: 'include' } });
    expect(error).toMatchObject({
      message: expect.stringMatching(
        /with Access-Control-Allow-Origin: https:\/\/app.example; Access-Control-Allow-Methods: DELETE; Access-Control-Allow-Credentials: true$/,
      ),
    });
  });

  test('F37: also works in a worker and on a page from a file', async () => {
    vi.stubGlobal('WorkerGlobalScope', class {});
    vi.stubGlobal('location', { origin: PAGE });
    expect(await failureOf()).toMatchObject({ message: expect.stringContaining('CORS') });
    enterPage('null');
    expect(await failureOf()).toMatchObject({ message: expect.stringContaining('Access-Control-Allow-Origin: null') });
  });

  test('F37: quotes no value of a header and nothing of the query', async () => {
    enterPage();
    expect(String(await failureOf())).not.toContain('secret');
  });

  test('F37: adds no hint for the origin of the page, outside of browsers, or if the cause is known', async () => {
    const silent = { message: expect.not.stringContaining('CORS') };
    expect(await failureOf()).toMatchObject(silent);
    vi.stubGlobal('location', { origin: PAGE });
    expect(await failureOf()).toMatchObject(silent);
    enterPage('https://agent.example');
    expect(await failureOf()).toMatchObject(silent);
    enterPage();
    const refused = Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) });
    expect(await failureOf(post(), { fetch: () => Promise.reject(refused) })).toMatchObject({ ...silent, sent: false });
    expect(await failureOf(post({ signal: AbortSignal.abort() }))).toMatchObject({ ...silent, reason: 'ABORTED' });
  });
});
