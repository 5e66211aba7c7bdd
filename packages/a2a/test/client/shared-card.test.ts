/** Callers that share a client share only its card: not timeouts, credentials, or a card that needs those credentials. */
import { describe, expect, test } from 'vitest';
import { bearerToken } from '../../src/client/auth/http-auth.js';
import { createClient } from '../../src/client/create-client.js';
import { manualClock } from '../../src/testing/manual-clock.js';
import { cardWith, scriptedAgent, scriptedExchange, scriptedTransport, taskWith } from './scripted-agent.js';

/** An agent whose card takes one second, and needs the right header. */
function slowCard(mayHave: (headers: Readonly<Record<string, string>>) => boolean = () => true) {
  const clock = manualClock();
  const card = scriptedExchange({ body: cardWith() });
  const refusal = scriptedExchange({ status: 401 });
  const exchange = scriptedExchange(async (request) => {
    await new Promise<void>((resolve) => clock.after(1_000, resolve));
    return mayHave(request.headers) ? card(request) : refusal(request);
  });
  const transport = scriptedTransport(() => ({ task: taskWith() }));
  const client = createClient('http://agent.test', { exchange, transports: [transport], clock, retry: false });
  const outcomes = async (...calls: Promise<unknown>[]) => {
    const settled = Promise.allSettled(calls);
    for (let n = 0; n < 5; n += 1) await clock.tick(500);
    return (await settled).map((each) => (each.status === 'fulfilled' ? 'answered' : each.reason.reason));
  };
  return { client, exchange, outcomes, clock };
}

describe('one request for the card, shared by several callers', () => {
  test('a timeout of one caller ends only its own wait', async () => {
    for (const limit of [{ totalMs: 200 }, { firstByteMs: 200 }, { idleMs: 200, totalMs: 200 }]) {
      const { client, exchange, outcomes, clock } = slowCard();
      const [first, second] = await outcomes(client.send('a', { timeouts: limit }), client.send('b'));
      expect([first, second]).toEqual(['totalMs' in limit ? 'TASK_TIMEOUT' : 'answered', 'answered']);
      expect([exchange.requests.length, clock.pending]).toEqual([1, 0]);
    }
  });

  test('card() and ping() respect their own timeouts', async () => {
    const { client, outcomes } = slowCard();
    expect(await outcomes(client.card({ timeouts: { totalMs: 200 } }), client.card())).toEqual(['TASK_TIMEOUT', 'answered']);
    const pinged = slowCard();
    expect(await pinged.outcomes(pinged.client.ping({ timeouts: { firstByteMs: 200 } }), pinged.client.ping())).toEqual([
      'TASK_TIMEOUT',
      'answered',
    ]);
  });

  test('credentials and headers of one caller neither fail nor authorize the others', async () => {
    const good = (headers: Readonly<Record<string, string>>) => headers.authorization === 'Bearer good' || headers['x-door'] === 'good';
    const byCredentials = slowCard(good);
    const say = (word: string) => byCredentials.client.send('x', { credentials: bearerToken(word) });
    expect(await byCredentials.outcomes(say('bad'), say('good'))).toEqual(['AUTH_REQUIRED', 'answered']);
    const byHeaders = slowCard(good);
    const knock = (word: string) => byHeaders.client.send('x', { headers: { 'X-Door': word } });
    expect(await byHeaders.outcomes(knock('bad'), knock('good'), byHeaders.client.send('x'))).toEqual([
      'AUTH_REQUIRED',
      'answered',
      'AUTH_REQUIRED',
    ]);
    const byClient = slowCard(good);
    const open = (word: string) => byClient.client.withHeaders({ 'x-door': word }).send('x');
    expect(await byClient.outcomes(open('bad'), open('good'))).toEqual(['AUTH_REQUIRED', 'answered']);
  });

  test('callers with the same headers share the request, even with different traceparent headers', async () => {
    const { client, exchange, outcomes } = slowCard();
    const credentials = bearerToken('one');
    const traced = (traceparent: string) => client.send('x', { credentials, headers: { traceparent, 'X-A': '1' } });
    expect(await outcomes(traced('a'), traced('b'))).toEqual(['answered', 'answered']);
    expect(exchange.requests).toHaveLength(1);
  });
});

describe('the extended card', () => {
  function extending(options: Parameters<typeof createClient>[1] = {}) {
    const whose = (authorization = 'guest', user = ''): string => `card of ${authorization}${user}`;
    const agent = scriptedAgent({
      card: cardWith({ capabilities: { extendedAgentCard: true } }),
      react: ({ method, headers }) =>
        method === 'GetExtendedAgentCard' ? cardWith({ name: whose(headers.authorization, headers['x-user']) }) : { task: taskWith() },
      options,
    });
    const seen = () => agent.transport.calls.map(({ method, headers, peer }) => [method, headers.authorization, peer.name]);
    return { client: createClient('http://agent.test', agent.options), seen };
  }

  test('G43: belongs to the client: a call with its own credentials neither uses nor stores it', async () => {
    const { client, seen } = extending({ credentials: bearerToken('client') });
    await client.send('x', { credentials: bearerToken('alice') });
    await client.send('x', { headers: { Authorization: 'Bearer carol' } });
    await client.send('x');
    await client.send('x', { credentials: bearerToken('bob') });
    await client.send('x', { tenant: 'other' });
    expect(seen()).toEqual([
      ['SendMessage', 'Bearer alice', 'Echo'],
      ['SendMessage', 'Bearer carol', 'Echo'],
      ['GetExtendedAgentCard', 'Bearer client', 'Echo'],
      ['SendMessage', 'Bearer client', 'card of Bearer client'],
      ['SendMessage', 'Bearer bob', 'Echo'],
      ['SendMessage', 'Bearer client', 'card of Bearer client'],
    ]);
  });

  test('G43: card() with its own credentials returns the card for these credentials', async () => {
    const { client } = extending({ extendedCard: true });
    expect((await client.card({ credentials: bearerToken('alice') })).name).toBe('card of Bearer alice');
    expect((await client.card({ credentials: bearerToken('bob') })).name).toBe('card of Bearer bob');
    expect((await client.card()).name).toBe('card of guest');
  });

  test('G43: clients from withHeaders() have their own', async () => {
    const { client } = extending({ credentials: bearerToken('client') });
    const [alice, bob] = ['alice', 'bob'].map((user) => client.withHeaders({ 'x-user': user }));
    expect((await client.card()).name).toBe('card of Bearer client');
    expect((await alice?.card())?.name).toBe('card of Bearer clientalice');
    expect((await bob?.card())?.name).toBe('card of Bearer clientbob');
  });
});

describe('contexts of clients from withHeaders()', () => {
  const contextsOf = (calls: readonly { readonly params: object }[]) =>
    calls.map(({ params }) => ('message' in params ? (params.message as { contextId?: string }).contextId : undefined));

  test('A23: are separate', async () => {
    let count = 0;
    const { options, transport } = scriptedAgent({ react: () => ({ task: taskWith({ contextId: `c-${++count}` }) }) });
    const client = createClient('http://agent.test', options);
    const other = client.withHeaders({ 'x-user': 'bob' });
    const chats = [client.conversation(), other.conversation()];
    for (const each of [...chats, ...chats, client, other]) await each.send('hi');
    expect(contextsOf(transport.calls)).toEqual([undefined, undefined, 'c-1', 'c-2', undefined, undefined]);
    expect(transport.calls.map(({ headers }) => headers['x-user'])).toEqual([undefined, 'bob', undefined, 'bob', undefined, 'bob']);
  });
});
