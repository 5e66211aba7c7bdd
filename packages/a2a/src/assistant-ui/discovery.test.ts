import { expect, test } from 'vitest';
import { at, cardWith } from '../../test/client/scripted-agent.js';
import { type Answer, json, scriptedFetch } from '../../test/client/scripted-fetch.js';
import { manualClock } from '../testing/manual-clock.js';
import { A2AClient } from './client.js';
import { originalCard, whyNoCard } from './discovery.js';

const TASK = { id: 't', status: { state: 'TASK_STATE_WORKING' } };
const CARD = cardWith({ supportedInterfaces: [at('JSONRPC', 'http://agent.test/rpc')] });

function clientOf(card: Answer, extensions: string[] = []) {
  const clock = manualClock();
  const script = scriptedFetch(
    ({ path, body }) => json(path === '/rpc' ? { jsonrpc: '2.0', id: (body as { id: number }).id, result: TASK } : TASK),
    card,
  );
  const client = new A2AClient({ baseUrl: 'http://agent.test', extensions }, { fetch: script.fetch, clock });
  return { client, script, clock };
}

const refused = (): never => {
  throw new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) });
};

test('an agent whose card cannot be fetched is called at the given address', async () => {
  for (const card of [new Response('', { status: 404 }), new Response('<html>', { status: 200 }), json({}, 401), refused]) {
    const { client, script } = clientOf(card);
    expect(await client.getTask('t')).toMatchObject({ id: 't' });
    expect(script.calls.map(({ path }) => path)).toEqual(['/tasks/t']);
    await expect(client.getAgentCard()).rejects.toMatchObject({ name: 'A2AError' });
  }
});

test('a substitute card is distinguishable from a real one', async () => {
  const { client } = clientOf(new Response('', { status: 404 }));
  const standIn = await client.parley.card();
  expect(originalCard(standIn)).toBeUndefined();
  expect(whyNoCard(standIn)).toMatchObject({ httpStatus: 404 });
  const real = await clientOf(json(CARD)).client.parley.card();
  expect(originalCard(real)).toEqual(CARD);
  expect(whyNoCard(real)).toBeUndefined();
});

test('a missing card is fetched again: after 5 s if there was no response, after 60 s if there was no card', async () => {
  for (const [failure, waitMs] of [
    [refused, 5_000],
    [() => new Response('', { status: 404 }), 60_000],
  ] as const) {
    let isThere = false;
    const { client, script, clock } = clientOf(() => (isThere ? json(CARD) : failure()));
    await client.getTask('t');
    isThere = true;
    await clock.tick(waitMs - 1);
    await client.getTask('t');
    expect(script.cards).toHaveLength(1);
    await clock.tick(1);
    await client.getTask('t');
    expect(script.calls.map(({ path }) => path)).toEqual(['/tasks/t', '/tasks/t', '/rpc']);
  }
});

test('an earlier card is used if a later fetch fails', async () => {
  let isThere = true;
  const { client, script, clock } = clientOf(() => (isThere ? json(CARD) : new Response('', { status: 404 })));
  await client.getTask('t');
  isThere = false;
  await clock.tick(3_600_000);
  await client.getTask('t');
  expect(script.cards.length).toBeGreaterThan(1);
  expect(script.calls.map(({ path }) => path)).toEqual(['/rpc', '/rpc']);
});

test('a fetch of the card times out after ten seconds and is not retried', async () => {
  const hanging: Answer = ({ init }) =>
    new Promise((_resolve, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
  const { client, script, clock } = clientOf(hanging);
  const called = client.getTask('t');
  await clock.tick(9_999);
  expect(script.calls).toEqual([]);
  await clock.tick(1);
  expect(await called).toMatchObject({ id: 't' });
  expect(script.cards).toHaveLength(1);
  expect(clock.pending).toBe(0);
});

test('a call that is aborted during the fetch of the card rejects with its reason and sends nothing', async () => {
  let isSlow = true;
  const hanging: Answer = ({ init }) =>
    isSlow ? new Promise((_resolve, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason))) : json(CARD);
  const { client, script, clock } = clientOf(hanging);
  const leaving = new AbortController();
  const called = client.getTask('t', undefined, leaving.signal);
  await clock.tick(1);
  leaving.abort(new Error('gone'));
  await expect(called).rejects.toThrow('gone');
  expect(script.calls).toEqual([]);
  isSlow = false;
  await client.getTask('t');
  // The abort does not count as a missing card.
  expect(script.calls.map(({ path }) => path)).toEqual(['/rpc']);
});

test('extensions are requested whether or not the card declares them', async () => {
  for (const card of [json(CARD), new Response('', { status: 404 })]) {
    const { client, script } = clientOf(card, ['urn:mine']);
    await client.getTask('t');
    expect(script.calls[0]?.headers.get('a2a-extensions')).toBe('urn:mine');
  }
});
