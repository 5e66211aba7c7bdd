import { expect, test } from 'vitest';
import { manualClock } from '../testing/manual-clock.js';
import { checkConnectivity } from './check-connectivity.js';

const hanging: typeof fetch = (_, init) =>
  new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)));

test.each<[string, typeof fetch, boolean]>([
  ['an agent that is up', async () => Response.json({}), true],
  ['an agent that requires authentication', async () => new Response(null, { status: 401 }), true],
  ['a server that fails', async () => new Response('oops', { status: 500 }), true],
  ['no server', async () => Promise.reject(new TypeError('fetch failed')), false],
  [
    'a fetch that throws synchronously',
    () => {
      throw new Error('no network');
    },
    false,
  ],
])('A20: responds or not: %s', async (_, fetch, expected) => {
  const clock = manualClock();
  expect(await checkConnectivity('http://agent.test', { fetch, clock })).toBe(expected);
  expect(clock.pending).toBe(0);
});

test('A20: a server that hangs counts as unreachable after three seconds or the given timeout, and the request is aborted', async () => {
  for (const timeoutMs of [undefined, 100]) {
    const clock = manualClock();
    let signal: AbortSignal | null | undefined;
    const fetch: typeof globalThis.fetch = (input, init) => {
      signal = init?.signal;
      return hanging(input, init);
    };
    const outcome = checkConnectivity('http://agent.test', { fetch, clock, ...(timeoutMs !== undefined && { timeoutMs }) });
    await clock.tick((timeoutMs ?? 3000) - 1);
    expect(await Promise.race([outcome, 'still waiting'])).toBe('still waiting');
    await clock.tick(1);
    expect(await outcome).toBe(false);
    expect(signal?.aborted).toBe(true);
    expect(clock.pending).toBe(0);
  }
});

test('A20: requests the card, and an invalid URL counts as unreachable', async () => {
  const asked: string[] = [];
  const fetch: typeof globalThis.fetch = async (input) => {
    asked.push(String(input));
    return Response.json({});
  };
  expect(await checkConnectivity('http://agent.test/one', { fetch })).toBe(true);
  expect(await checkConnectivity('nowhere', { fetch })).toBe(false);
  expect(asked).toEqual(['http://agent.test/one/.well-known/agent-card.json']);
});
