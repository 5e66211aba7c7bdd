import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { A2AError } from '../../protocol/errors.js';
import { manualClock } from '../../testing/manual-clock.js';
import { cachedToken, type Token } from './cached-token.js';
import type { AuthMaterial, AuthRequest } from './credentials.js';

const ASK: AuthRequest = { url: 'https://agent.test/a2a', card: undefined, signal: undefined };

test('a token is cached and replaced shortly before it expires', async () => {
  const clock = manualClock();
  const { source, asked } = counting((n) => ({ token: `t${n}`, expiresAt: clock.now() + 100_000 }));
  const credentials = cachedToken(source, { clock });
  expect(shown(await credentials.get(ASK))).toBe('Bearer t1');
  await clock.tick(69_999);
  expect(shown(await credentials.get(ASK))).toBe('Bearer t1');
  await clock.tick(1);
  expect(shown(await credentials.get(ASK))).toBe('Bearer t2');
  expect([asked.length, clock.pending]).toEqual([2, 0]);
});

test('a token with a lifetime below skewMs is cached for half of its lifetime', async () => {
  const clock = manualClock();
  const { source, asked } = counting((n) => ({ token: `t${n}`, expiresAt: clock.now() + 10_000 }));
  const credentials = cachedToken(source, { clock });
  await credentials.get(ASK);
  await clock.tick(4_999);
  await credentials.get(ASK);
  expect(asked).toHaveLength(1);
  await clock.tick(1);
  await credentials.get(ASK);
  expect(asked).toHaveLength(2);
});

test('a token without an expiry is cached until it is refused', async () => {
  const clock = manualClock();
  const { source, asked } = counting((n) => ({ token: `t${n}` }));
  const credentials = cachedToken(source, { clock });
  const material = await credentials.get(ASK);
  await clock.tick(1e12);
  await credentials.get(ASK);
  expect(asked).toHaveLength(1);
  expect(shown(await credentials.get({ ...ASK, refused: { material, challenge: undefined } }))).toBe('Bearer t2');
});

test('a caller with an already replaced token gets the new one without a request', async () => {
  const { source, asked } = counting((n) => ({ token: `t${n}` }));
  const credentials = cachedToken(source);
  const old = await credentials.get(ASK);
  const refused = { material: old, challenge: undefined };
  await Promise.all(Array.from({ length: 5 }, () => credentials.get({ ...ASK, refused })));
  expect(shown(await credentials.get({ ...ASK, refused }))).toBe('Bearer t2');
  expect(asked).toHaveLength(2);
});

test('a token that was refused together with other material is recognized as refused', async () => {
  const { source } = counting((n) => ({ token: `t${n}` }));
  const credentials = cachedToken(source);
  const { headers } = await credentials.get(ASK);
  const refused = { material: { headers: { ...headers, 'x-key': 'k' }, query: { a: 'b' } }, challenge: undefined };
  expect(shown(await credentials.get({ ...ASK, refused }))).toBe('Bearer t2');
});

test('concurrent callers share one token request', async () => {
  const { source, asked } = counting((n) => ({ token: `t${n}` }));
  const credentials = cachedToken(source);
  const all = await Promise.all(Array.from({ length: 20 }, () => credentials.get(ASK)));
  expect(new Set(all.map(shown))).toEqual(new Set(['Bearer t1']));
  expect(asked).toHaveLength(1);
});

test('a failure reaches the waiting callers, and the next caller sends a new request', async () => {
  const { source, asked } = counting((n) => {
    if (n === 1) throw new Error('foreign words');
    return { token: `t${n}` };
  });
  const credentials = cachedToken(source);
  const outcomes = await Promise.allSettled([credentials.get(ASK), credentials.get(ASK)]);
  const failure = {
    status: 'rejected',
    reason: { reason: 'AUTH_REQUIRED', message: 'A token for https://agent.test could not be obtained' },
  };
  expect(outcomes).toMatchObject([failure, failure]);
  expect(shown(await credentials.get(ASK))).toBe('Bearer t2');
  expect(asked).toHaveLength(2);
});

test('if the replacement fails, the old token is used until it expires', async () => {
  const clock = manualClock();
  const { source } = counting((n) => {
    if (n > 1) throw new A2AError('AUTH_REQUIRED', 'down');
    return { token: 't1', expiresAt: clock.now() + 100_000 };
  });
  const credentials = cachedToken(source, { clock });
  await credentials.get(ASK);
  await clock.tick(99_999);
  expect(shown(await credentials.get(ASK))).toBe('Bearer t1');
  await clock.tick(1);
  await expect(credentials.get(ASK)).rejects.toMatchObject({ message: 'down' });
});

test('a caller that aborts does not affect the others; when all have aborted, the source is aborted', async () => {
  const given: ((token: Token) => void)[] = [];
  const signals: AbortSignal[] = [];
  const credentials = cachedToken(({ signal }) => {
    signals.push(signal);
    return new Promise<Token>((resolve) => given.push(resolve));
  });
  const [one, two] = [new AbortController(), new AbortController()];
  const first = credentials.get({ ...ASK, signal: one.signal });
  const second = credentials.get({ ...ASK, signal: two.signal });
  one.abort();
  await expect(first).rejects.toMatchObject({ reason: 'ABORTED' });
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  given[0]?.({ token: 't' });
  expect(shown(await second)).toBe('Bearer t');
  expect(getEventListeners(two.signal, 'abort')).toHaveLength(0);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);

  const third = credentials.get({ ...ASK, scopes: ['more'], signal: two.signal });
  two.abort();
  await expect(third).rejects.toMatchObject({ reason: 'ABORTED' });
  expect(signals[1]?.aborted).toBe(true);
});

test('a token that arrives after all callers aborted is harmless, and the next caller starts a new request', async () => {
  const { source, asked } = counting((n) => ({ token: `t${n}` }));
  const credentials = cachedToken(source);
  const leaving = new AbortController();
  const left = credentials.get({ ...ASK, signal: leaving.signal });
  leaving.abort();
  await expect(left).rejects.toMatchObject({ reason: 'ABORTED' });
  expect(shown(await credentials.get(ASK))).toMatch(/^Bearer t[12]$/);
  expect(asked.length).toBeLessThanOrEqual(2);
});

test('A24: each set of scopes has its own token, in any order', async () => {
  const { source, asked } = counting((n) => ({ token: `t${n}` }));
  const credentials = cachedToken(source);
  const scopes = [['a', 'b'], ['b', 'a'], ['a'], undefined];
  const tokens = [];
  for (const each of scopes) tokens.push(shown(await credentials.get({ ...ASK, scopes: each })));
  expect(tokens).toEqual(['Bearer t1', 'Bearer t1', 'Bearer t2', 'Bearer t3']);
  expect(asked).toHaveLength(3);
});

test('a token for one origin is not used for another', async () => {
  const { source } = counting((n) => ({ token: `t${n}` }));
  const credentials = cachedToken(source);
  await credentials.get(ASK);
  expect(shown(await credentials.get({ ...ASK, url: 'https://other.test/a2a' }))).toBe('Bearer t2');
});

test('invented scopes do not fill the memory: the oldest entry is evicted', async () => {
  const { source, asked } = counting((n) => ({ token: `t${n}` }));
  const credentials = cachedToken(source);
  for (let n = 0; n <= 100; n += 1) await credentials.get({ ...ASK, scopes: [`s${n}`] });
  expect(credentials.peek({ ...ASK, scopes: ['s0'] })).toBeUndefined();
  expect(credentials.peek({ ...ASK, scopes: ['s100'] })).toBeDefined();
  expect(asked).toHaveLength(101);
});

test('invalid values are refused', async () => {
  expect(() => cachedToken(() => ({ token: 't' }), { skewMs: Number.NaN })).toThrow(/skewMs/);
  const thrown: unknown = await cachedToken(() => ({ token: 's3cret\n' }))
    .get(ASK)
    .catch((error: unknown) => error);
  expect(thrown).toMatchObject({ reason: 'INVALID_PARAMS' });
  expect(String(thrown)).not.toContain('s3cret');
});

function counting(give: (n: number) => Token): { readonly source: () => Promise<Token>; readonly asked: number[] } {
  const asked: number[] = [];
  return {
    asked,
    async source() {
      asked.push(asked.length + 1);
      const n = asked.length;
      await Promise.resolve();
      return give(n);
    },
  };
}

function shown(material: AuthMaterial | undefined): string | undefined {
  return material?.headers?.authorization;
}
