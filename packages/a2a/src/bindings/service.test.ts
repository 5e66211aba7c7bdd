import { expect, test } from 'vitest';
import { createAgent } from '../server/index.js';
import { ByteBudget } from '../server/limits/byte-budget.js';
import type { WireRequest } from '../wire/http.js';
import { readBody, type Service } from './service.js';

const share = { key: 'ann', factor: 1 };

/** A request whose host gives its body a turn, if it has that many bytes. */
const requestWith = (text: string, turnBytes?: number): WireRequest => ({
  method: 'POST',
  path: '/',
  query: '',
  origin: '',
  host: {},
  header: () => undefined,
  async body(_maxBytes, held) {
    if (turnBytes !== undefined) await held?.turn?.(turnBytes);
    return text;
  },
});

test('F67: the binding gets the turn of a body, also if its text is shorter than its bytes, and a small body has none', async () => {
  const agent = createAgent({ name: 'Turns', auth: 'none', execute: async () => 'done' });
  const service = { agent, bytes: new ByteBudget({ perCaller: 1e9, total: 1e9 }) } as Service; // nothing else of it is read
  const turnOf = async (request: WireRequest) => (await readBody(service, { request, share }, (text) => JSON.parse(text))).turn;
  expect(await turnOf(requestWith('{}'))).toBeUndefined();
  for (const request of [
    requestWith(JSON.stringify('€'.repeat(30_000)), 90_000),
    requestWith(JSON.stringify('x'.repeat(90_000)), 90_000),
    requestWith(JSON.stringify('x'.repeat(90_000))),
  ]) {
    const turn = await turnOf(request);
    expect(turn).toBeDefined();
    turn?.end();
  }
  await agent.close({ drainMs: 0 });
});

test('F67: a large body that is not JSON leaves its turn', async () => {
  const agent = createAgent({ name: 'Turns', auth: 'none', execute: async () => 'done' });
  const bytes = new ByteBudget({ perCaller: 1e9, total: 1e9 });
  const service = { agent, bytes } as Service; // nothing else of it is read
  await expect(readBody(service, { request: requestWith('x'.repeat(5e6), 5e6), share }, (text) => JSON.parse(text))).rejects.toThrow();
  (await bytes.turnOf(share, 5e6)).end(); // resolves at once, because no other turn is open
  await agent.close({ drainMs: 0 });
});
