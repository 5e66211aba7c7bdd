/** How the client fetches, caches and verifies the card, and replaces it by the extended card. */
import { describe, expect, test } from 'vitest';
import { connect, createClient } from '../../src/client/create-client.js';
import type { ClientOptions } from '../../src/client/options.js';
import type { LogFields } from '../../src/platform/logger.js';
import { silentLogger } from '../../src/platform/logger.js';
import { CLIENT_TOOLS_URI } from '../../src/protocol/client-tools.js';
import {
  A2ACardSignatureError,
  A2AError,
  A2AExtensionError,
  A2AIncompatibleProtocolVersionError,
  A2AInvalidCardError,
} from '../../src/protocol/errors.js';
import type { AgentCard } from '../../src/protocol/types.js';
import { manualClock } from '../../src/testing/manual-clock.js';
import { type Answered, at, CARD_URL, cardWith, scriptedAgent, scriptedExchange, scriptedTransport, taskWith } from './scripted-agent.js';
import { BINDINGS, serve } from './served-agent.js';

const credentials = { get: () => ({ headers: { authorization: 'Bearer mine' } }) };

function listening() {
  const warnings: (LogFields & { readonly text: string })[] = [];
  const warn = (fields: LogFields, text: string): void => {
    // Other tests cover the log of calls.
    if (text !== 'call failed') warnings.push({ ...fields, text });
  };
  return { warnings, logger: { ...silentLogger, warn } };
}

/** A client of an agent that answers the requests for its card with these, in order. */
function clientOf(answers: readonly Answered[], more: ClientOptions = {}) {
  const exchange = scriptedExchange(...answers);
  const transport = scriptedTransport(() => taskWith());
  const clock = manualClock();
  return {
    client: createClient('http://agent.test', { exchange, transports: [transport], clock, retry: false, ...more }),
    exchange,
    clock,
  };
}

describe('a fetched card', () => {
  test('is revalidated with its ETag when it has expired, and stays in use after 304', async () => {
    const headers = { etag: '"1"', 'cache-control': 'max-age=10' };
    const { client, exchange, clock } = clientOf([
      { headers, body: cardWith() },
      { status: 304, headers },
    ]);
    await client.getTask({ id: 't' });
    await clock.tick(10_000);
    await client.getTask({ id: 't' });
    await client.getTask({ id: 't' });
    expect(exchange.requests.map((request) => request.headers['if-none-match'])).toEqual([undefined, '"1"']);
  });

  test('is fetched for each call, without If-None-Match, when the server sends no-store', async () => {
    const { client, exchange } = clientOf([{ headers: { etag: '"1"', 'cache-control': 'no-store' }, body: cardWith() }]);
    await client.getTask({ id: 't' });
    await client.getTask({ id: 't' });
    expect(exchange.requests.map((request) => request.headers['if-none-match'])).toEqual([undefined, undefined]);
  });

  test('stays in use, with a warning, when revalidation fails', async () => {
    const { logger, warnings } = listening();
    const headers = { 'cache-control': 'max-age=10' };
    const { client, clock } = clientOf([{ headers, body: cardWith() }, { status: 503 }], { logger });
    await client.getTask({ id: 't' });
    await clock.tick(10_000);
    expect((await client.getTask({ id: 't' })).id).toBe('t-1');
    expect(warnings).toMatchObject([{ method: 'GetAgentCard', reason: 'AGENT_UNAVAILABLE' }]);
  });

  test('C19: revalidation is one request without a retry, whatever retry options are set, so no call waits for a server that is down', async () => {
    for (const more of [{ retry: {} }, { retry: {}, activation: {} }, { activation: {} }]) {
      const headers = { 'cache-control': 'max-age=10' };
      const { client, exchange, clock } = clientOf([{ headers, body: cardWith() }, { status: 503 }], more);
      await client.getTask({ id: 't' });
      await clock.tick(10_000);
      expect((await client.getTask({ id: 't' })).id).toBe('t-1');
      expect(exchange.requests).toHaveLength(2);
      expect(clock.pending).toBe(0);
    }
  });

  test('is fetched from cardPath when that is set', async () => {
    const { client, exchange } = clientOf([{ body: cardWith() }], { cardPath: 'http://cards.test/echo' });
    await client.card();
    expect(exchange.requests[0]?.url).toBe('http://cards.test/echo');
  });

  test('is fetched once for concurrent calls', async () => {
    const { client, exchange } = clientOf([{ body: cardWith() }]);
    await Promise.all([client.card(), client.getTask({ id: 't' }), client.getTask({ id: 'u' })]);
    expect(exchange.requests).toHaveLength(1);
  });

  test('A18: ping sends one GET for the card, even when the cached card is fresh, and rejects when the server fails', async () => {
    const { client, exchange } = clientOf([{ body: cardWith() }, { body: cardWith() }, { status: 503 }]);
    await client.card();
    await client.ping();
    expect(exchange.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([`GET ${CARD_URL}`, `GET ${CARD_URL}`]);
    await expect(client.ping()).rejects.toMatchObject({ reason: 'AGENT_UNAVAILABLE' });
  });

  test('A18: ping of a client made from a card fetches the card that the server serves', async () => {
    const { options, exchange } = scriptedAgent();
    await createClient(cardWith(), options).ping();
    expect(exchange.requests.map(({ url }) => url)).toEqual([CARD_URL]);
  });

  test.each<[string, Answered]>([
    ['is not JSON', { body: '<html>' }],
    ['does not exist', { status: 404 }],
    ['names no interface', { body: { ...cardWith(), supportedInterfaces: [] } }],
    ['names only unknown bindings', { body: cardWith({ supportedInterfaces: [at('urn:pigeon', 'roof:7')] }) }],
  ])('G39: a card that %s is invalid, and the error names its URL', async (_, answer) => {
    const attempt = connect('http://agent.test', { exchange: scriptedExchange(answer), retry: false });
    await expect(attempt).rejects.toThrow(A2AInvalidCardError);
    await expect(attempt).rejects.toThrow(/http:\/\/agent.test/);
  });

  test.each([
    ['0.1.0', {}],
    ['0.3.0', { compat: false }],
  ] as const)('G40: a card of version %s with the options %j fails every call, but card() still returns it', async (version, options) => {
    const old = { protocolVersion: version, name: 'Old', url: 'http://agent.test/rpc', preferredTransport: 'JSONRPC' };
    const { client } = clientOf([{ body: old }], options);
    const attempt = client.getTask({ id: 't' });
    await expect(attempt).rejects.toThrow(A2AIncompatibleProtocolVersionError);
    await expect(attempt).rejects.toMatchObject({ url: 'http://agent.test/rpc', binding: 'JSONRPC', version });
    expect((await client.card()).name).toBe('Old');
  });
});

describe('extensions', () => {
  const demanding = cardWith({ capabilities: { extensions: [{ uri: 'urn:need', required: true }, { uri: 'urn:may' }] } });

  test('G41: are checked in every kind of call, for the client and for one call, before a request is sent', async () => {
    const { options, transport } = scriptedAgent({ card: demanding, react: () => taskWith() });
    await expect(connect('http://agent.test', options)).rejects.toMatchObject({ name: 'A2AExtensionError', uris: ['urn:need'] });
    await expect(connect(demanding, options)).rejects.toThrow(A2AExtensionError);
    const client = createClient(demanding, { ...options, extensions: ['urn:need'] });
    await expect(client.getTask({ id: 't' }, { extensions: ['urn:other'] })).rejects.toMatchObject({ uris: ['urn:other'] });
    await expect(client.send('hi', { extensions: ['urn:other'] })).rejects.toThrow(A2AExtensionError);
    await expect(client.call('x/y', {}, { extensions: ['urn:other'] })).rejects.toThrow(A2AExtensionError);
    await expect(
      (async () => {
        for await (const _ of client.tasks({}, { extensions: ['urn:other'] }));
      })(),
    ).rejects.toThrow(A2AExtensionError);
    expect(transport.calls).toEqual([]);
    await client.getTask({ id: 't' }, { extensions: ['urn:may'] });
    expect(transport.calls[0]?.extensions).toEqual(['urn:need', 'urn:may']);
  });

  test('G41: onExtensions receives the extensions that the agent activated', async () => {
    const { options } = serve({ extensions: [{ uri: 'urn:may' }] });
    const client = createClient('http://test', { ...options, extensions: ['urn:may'] });
    let activated: readonly string[] = [];
    await client.listTasks(
      {},
      {
        onExtensions: (uris) => {
          activated = uris;
        },
      },
    );
    expect(activated).toContain('urn:may');
  });
});

test('G41: the client activates the client-tools extension itself when a run has tools', async () => {
  const card = cardWith({ capabilities: { extensions: [{ uri: CLIENT_TOOLS_URI, required: true }] } });
  const { options, transport } = scriptedAgent({ card });
  const client = createClient('http://agent.test', options);
  await expect(client.run('hi').result).rejects.toMatchObject({ name: 'A2AExtensionError', uris: [CLIENT_TOOLS_URI] });
  const tools = [{ name: 'now', description: 'the time', parameters: {}, execute: () => 'late' }];
  expect((await client.run('hi', { tools }).result).kind).toBe('task');
  expect(transport.calls.map(({ extensions }) => extensions)).toEqual([[CLIENT_TOOLS_URI]]);
});

describe('verifyCard', () => {
  const verifyCard = ({ signatures }: AgentCard): void => {
    if (signatures?.[0]?.signature !== 'good') throw new Error('bad signature');
  };
  const signed = (signature: string, more: Partial<AgentCard> = {}) => cardWith({ signatures: [{ protected: 'p', signature }], ...more });

  test.each([
    ['unsigned', cardWith()],
    ['tampered with', signed('bad')],
  ])('G42: a fetched card that is %s is refused, and no call is sent', async (_, card) => {
    const { options, transport } = scriptedAgent({ card });
    const attempt = createClient('http://agent.test', { ...options, verifyCard }).send('hi');
    await expect(attempt).rejects.toThrow(A2ACardSignatureError);
    await expect(attempt).rejects.toMatchObject({ source: 'fetched', cause: new Error('bad signature') });
    expect(transport.calls).toEqual([]);
  });

  test('G42: a card with a good signature is verified once, whether it was fetched or passed in', async () => {
    let count = 0;
    const counting = async (card: AgentCard) => {
      count += 1;
      verifyCard(card);
    };
    const { options } = scriptedAgent({ card: signed('good'), react: () => taskWith() });
    for (const client of [
      createClient('http://agent.test', { ...options, verifyCard: counting }),
      createClient(signed('good'), { ...options, verifyCard: counting }),
    ]) {
      await client.getTask({ id: 't' });
      await client.getTask({ id: 't' });
    }
    expect(count).toBe(2);
  });

  test('G42: a card that was passed in is verified before use, on every call until it is good', async () => {
    const { options, transport } = scriptedAgent();
    const client = createClient(cardWith(), { ...options, verifyCard });
    await expect(client.send('hi')).rejects.toMatchObject({ source: 'preset' });
    await expect(client.send('hi')).rejects.toMatchObject({ source: 'preset' });
    expect(transport.calls).toEqual([]);
  });

  test('G42: an extended card is verified too', async () => {
    const card = signed('good', { capabilities: { extendedAgentCard: true } });
    const { options } = scriptedAgent({ card, react: () => signed('bad', { name: 'Forged' }) });
    const demanded = createClient('http://agent.test', { ...options, verifyCard, credentials, extendedCard: true });
    await expect(demanded.card()).rejects.toMatchObject({ name: 'A2ACardSignatureError', source: 'extended' });
    const wanted = createClient('http://agent.test', { ...options, verifyCard, credentials });
    expect((await wanted.card()).name).toBe('Echo');
  });
});

describe('the extended card', () => {
  const open = cardWith({ capabilities: { extendedAgentCard: true } });
  const full = (more: Partial<AgentCard> = {}) => cardWith({ name: 'Full', capabilities: { extendedAgentCard: true }, ...more });
  const agentWith = (extended: AgentCard | Error, more: ClientOptions = {}) =>
    scriptedAgent({
      card: open,
      react: (call) => (call.method === 'GetExtendedAgentCard' ? extended : taskWith()),
      options: { credentials, ...more },
    });

  test('G43: replaces the public card, and later calls go to its interfaces', async () => {
    const { options, transport, exchange } = agentWith(full({ supportedInterfaces: [at('JSONRPC', 'http://agent.test/inner')] }));
    const client = createClient('http://agent.test', options);
    expect((await client.card()).name).toBe('Full');
    await client.getTask({ id: 't' });
    await client.getTask({ id: 't' });
    expect(transport.calls.map((call) => `${call.method} ${call.at.url}`)).toEqual([
      'GetExtendedAgentCard http://agent.test/',
      'GetTask http://agent.test/inner',
      'GetTask http://agent.test/inner',
    ]);
    expect(exchange.requests).toHaveLength(1);
  });

  test.each(BINDINGS)('G43: the client uses both cards of a real server (%s)', async (binding) => {
    const { options, requests } = serve(
      {
        auth: (request) => (request.header('authorization') === 'Bearer mine' ? { id: 'me' } : { id: 'guest' }),
        extendedCard: ({ id }) =>
          full({ name: `For ${id}`, supportedInterfaces: [at('JSONRPC', 'http://test/'), at('HTTP+JSON', 'http://test/')] }),
      },
      { binding },
    );
    const client = createClient('http://test', { ...options, credentials });
    expect((await client.card()).name).toBe('For me');
    expect((await client.send('hi')).text).toBe('hi');
    expect(requests.map(({ operation }) => operation)).toEqual(['GetAgentCard', 'GetExtendedAgentCard', 'SendMessage']);
  });

  test('G43: is fetched only with credentials or extendedCard: true, and only when the public card declares it', async () => {
    const asked = async (card: AgentCard, more: ClientOptions) => {
      const { options, transport } = scriptedAgent({ card, react: () => full() });
      await createClient('http://agent.test', { ...options, ...more }).card();
      return transport.calls.length;
    };
    expect(await asked(open, {})).toBe(0);
    expect(await asked(open, { extendedCard: true })).toBe(1);
    expect(await asked(open, { credentials })).toBe(1);
    expect(await asked(open, { credentials, extendedCard: false })).toBe(0);
    expect(await asked(cardWith(), { credentials })).toBe(0);
  });

  test('G43: when it cannot be fetched, the public card stays in use with a warning, and the client tries again later', async () => {
    const clock = manualClock();
    const { logger, warnings } = listening();
    const { options, transport } = agentWith(new A2AError('AUTH_REQUIRED', 'sign in first'), { clock, logger });
    const client = createClient('http://agent.test', options);
    expect((await client.card()).name).toBe('Echo');
    await client.getTask({ id: 't' });
    expect(warnings).toMatchObject([{ method: 'GetExtendedAgentCard', reason: 'AUTH_REQUIRED' }]);
    await clock.tick(60_000);
    await client.getTask({ id: 't' });
    expect(transport.calls.map(({ method }) => method)).toEqual([
      // After a refused call the client asks the credentials once more; they have nothing new.
      'GetExtendedAgentCard',
      'GetTask',
      'GetExtendedAgentCard',
      'GetTask',
    ]);
  });

  test('G43: with extendedCard: true, a failure to fetch it is the error of the call', async () => {
    const { options } = agentWith(new A2AError('AUTH_REQUIRED', 'sign in first'), { extendedCard: true });
    await expect(createClient('http://agent.test', options).send('hi')).rejects.toMatchObject({ reason: 'AUTH_REQUIRED' });
  });

  test('G43: interfaces on an origin that the public card does not name are called only when the card is verified', async () => {
    const { logger, warnings } = listening();
    const strange = full({ supportedInterfaces: [at('JSONRPC', 'http://evil.test/'), at('JSONRPC', 'http://agent.test/two')] });
    const calls = async (extended: AgentCard, more: ClientOptions) => {
      const { options, transport } = agentWith(extended, { logger, allowOrigins: ['http://evil.test'], ...more });
      await createClient('http://agent.test', options).getTask({ id: 't' });
      return transport.calls.at(-1)?.at.url;
    };
    expect(await calls(strange, {})).toBe('http://agent.test/two');
    expect(await calls(full({ supportedInterfaces: [at('JSONRPC', 'http://evil.test/')] }), {})).toBe('http://agent.test/');
    expect(warnings).toHaveLength(2);
    expect(await calls(strange, { verifyCard: () => {} })).toBe('http://evil.test/');
  });

  test('G43: may declare an extension that the public card does not declare', async () => {
    const { options, transport } = agentWith(full({ capabilities: { extendedAgentCard: true, extensions: [{ uri: 'urn:inner' }] } }));
    await createClient('http://agent.test', { ...options, extensions: ['urn:inner'] }).getTask({ id: 't' });
    expect(transport.calls.map(({ extensions }) => extensions)).toEqual([[], ['urn:inner']]);
  });
});
