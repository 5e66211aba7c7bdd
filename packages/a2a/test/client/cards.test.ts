/** The card's way through the client: fetched, kept, verified, swapped for the extended one. */
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
import { handClock } from '../../src/testing/hand-clock.js';
import { type Answered, at, CARD_URL, cardWith, scriptedAgent, scriptedExchange, scriptedTransport, taskWith } from './scripted-agent.js';
import { BINDINGS, serve } from './served-agent.js';

const credentials = { get: () => ({ headers: { authorization: 'Bearer mine' } }) };

function listening() {
  const warnings: (LogFields & { readonly text: string })[] = [];
  const warn = (fields: LogFields, text: string): void => {
    // The log of calls has its own tests.
    if (text !== 'call failed') warnings.push({ ...fields, text });
  };
  return { warnings, logger: { ...silentLogger, warn } };
}

/** A client of an agent whose card is answered with these, one after the other. */
function clientOf(answers: readonly Answered[], more: ClientOptions = {}) {
  const exchange = scriptedExchange(...answers);
  const transport = scriptedTransport(() => taskWith());
  const clock = handClock();
  return {
    client: createClient('http://agent.test', { exchange, transports: [transport], clock, retry: false, ...more }),
    exchange,
    clock,
  };
}

describe('a fetched card', () => {
  test('is asked for again when its time is over, by its ETag, and serves on when it is unchanged', async () => {
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

  test('must not be kept: it is asked for with each call, and not by its ETag', async () => {
    const { client, exchange } = clientOf([{ headers: { etag: '"1"', 'cache-control': 'no-store' }, body: cardWith() }]);
    await client.getTask({ id: 't' });
    await client.getTask({ id: 't' });
    expect(exchange.requests.map((request) => request.headers['if-none-match'])).toEqual([undefined, undefined]);
  });

  test('that can not be asked for again serves on, with a warning', async () => {
    const { logger, warnings } = listening();
    const headers = { 'cache-control': 'max-age=10' };
    const { client, clock } = clientOf([{ headers, body: cardWith() }, { status: 503 }], { logger });
    await client.getTask({ id: 't' });
    await clock.tick(10_000);
    expect((await client.getTask({ id: 't' })).id).toBe('t-1');
    expect(warnings).toMatchObject([{ method: 'GetAgentCard', reason: 'AGENT_UNAVAILABLE' }]);
  });

  test('C19: that can not be asked for again is asked for once, whoever would try again: nobody waits for a server that is down', async () => {
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

  test('may be elsewhere', async () => {
    const { client, exchange } = clientOf([{ body: cardWith() }], { cardPath: 'http://cards.test/echo' });
    await client.card();
    expect(exchange.requests[0]?.url).toBe('http://cards.test/echo');
  });

  test('is one fetch for all who want it at once', async () => {
    const { client, exchange } = clientOf([{ body: cardWith() }]);
    await Promise.all([client.card(), client.getTask({ id: 't' }), client.getTask({ id: 'u' })]);
    expect(exchange.requests).toHaveLength(1);
  });

  test('A18: ping is one GET of the card, however fresh it is; it rejects when nobody answers', async () => {
    const { client, exchange } = clientOf([{ body: cardWith() }, { body: cardWith() }, { status: 503 }]);
    await client.card();
    await client.ping();
    expect(exchange.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([`GET ${CARD_URL}`, `GET ${CARD_URL}`]);
    await expect(client.ping()).rejects.toMatchObject({ reason: 'AGENT_UNAVAILABLE' });
  });

  test('A18: ping of a client that was given its card asks for the one that is served', async () => {
    const { options, exchange } = scriptedAgent();
    await createClient(cardWith(), options).ping();
    expect(exchange.requests.map(({ url }) => url)).toEqual([CARD_URL]);
  });

  test.each<[string, Answered]>([
    ['is none', { body: '<html>' }],
    ['is not there', { status: 404 }],
    ['names no interface', { body: { ...cardWith(), supportedInterfaces: [] } }],
    ['names none that is spoken', { body: cardWith({ supportedInterfaces: [at('urn:pigeon', 'roof:7')] }) }],
  ])('G39: that %s is invalid, and the error says where', async (_, answer) => {
    const attempt = connect('http://agent.test', { exchange: scriptedExchange(answer), retry: false });
    await expect(attempt).rejects.toThrow(A2AInvalidCardError);
    await expect(attempt).rejects.toThrow(/http:\/\/agent.test/);
  });

  test('G40: of an older version is refused at every call, and can still be looked at', async () => {
    const old = { protocolVersion: '0.3.0', name: 'Old', url: 'http://agent.test/rpc', preferredTransport: 'JSONRPC' };
    const { client } = clientOf([{ body: old }]);
    const attempt = client.getTask({ id: 't' });
    await expect(attempt).rejects.toThrow(A2AIncompatibleProtocolVersionError);
    await expect(attempt).rejects.toMatchObject({ url: 'http://agent.test/rpc', binding: 'JSONRPC', version: '0.3.0' });
    expect((await client.card()).name).toBe('Old');
  });
});

describe('extensions', () => {
  const demanding = cardWith({ capabilities: { extensions: [{ uri: 'urn:need', required: true }, { uri: 'urn:may' }] } });

  test('G41: are checked on every path, for the client and for one call, before anything is sent', async () => {
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

  test('G41: which ones the agent has switched on is told', async () => {
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

test('G41: tools are an extension that the client knows by itself, where they are used', async () => {
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
  ])('G42: a fetched card that is %s is refused, and nothing is called', async (_, card) => {
    const { options, transport } = scriptedAgent({ card });
    const attempt = createClient('http://agent.test', { ...options, verifyCard }).send('hi');
    await expect(attempt).rejects.toThrow(A2ACardSignatureError);
    await expect(attempt).rejects.toMatchObject({ source: 'fetched', cause: new Error('bad signature') });
    expect(transport.calls).toEqual([]);
  });

  test('G42: a good one is verified once, whether fetched or given', async () => {
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

  test('G42: a given card is verified before it is used, each time until it is good', async () => {
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

  test('G43: takes the place of the public one, and its interfaces are called from then on', async () => {
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

  test.each(BINDINGS)('G43: two cards of a real server (%s)', async (binding) => {
    const { options, requests } = serve(
      {
        auth: (request) => (request.header('authorization') === 'Bearer mine' ? { id: 'me' } : { id: 'anybody' }),
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

  test('G43: is not asked for without credentials, unless that is asked for; nor where there is none', async () => {
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

  test('G43: one that can not be had leaves the public one in use, with a warning, and is asked for again later', async () => {
    const clock = handClock();
    const { logger, warnings } = listening();
    const { options, transport } = agentWith(new A2AError('AUTH_REQUIRED', 'who are you?'), { clock, logger });
    const client = createClient('http://agent.test', options);
    expect((await client.card()).name).toBe('Echo');
    await client.getTask({ id: 't' });
    expect(warnings).toMatchObject([{ method: 'GetExtendedAgentCard', reason: 'AUTH_REQUIRED' }]);
    await clock.tick(60_000);
    await client.getTask({ id: 't' });
    expect(transport.calls.map(({ method }) => method)).toEqual([
      // The credentials are asked once more for a refused call, and have nothing new to give.
      'GetExtendedAgentCard',
      'GetTask',
      'GetExtendedAgentCard',
      'GetTask',
    ]);
  });

  test('G43: one that was demanded and can not be had is the error of the call', async () => {
    const { options } = agentWith(new A2AError('AUTH_REQUIRED', 'who are you?'), { extendedCard: true });
    await expect(createClient('http://agent.test', options).send('hi')).rejects.toMatchObject({ reason: 'AUTH_REQUIRED' });
  });

  test('G43: strange addresses of an extended card are not called unless the card is verified', async () => {
    const { logger, warnings } = listening();
    const strange = full({ supportedInterfaces: [at('JSONRPC', 'http://evil.test/'), at('JSONRPC', 'http://agent.test/two')] });
    const calls = async (extended: AgentCard, more: ClientOptions) => {
      const { options, transport } = agentWith(extended, { logger, trustedOrigins: ['http://evil.test'], ...more });
      await createClient('http://agent.test', options).getTask({ id: 't' });
      return transport.calls.at(-1)?.at.url;
    };
    expect(await calls(strange, {})).toBe('http://agent.test/two');
    expect(await calls(full({ supportedInterfaces: [at('JSONRPC', 'http://evil.test/')] }), {})).toBe('http://agent.test/');
    expect(warnings).toHaveLength(2);
    expect(await calls(strange, { verifyCard: () => {} })).toBe('http://evil.test/');
  });

  test('G43: may offer an extension that the public one does not', async () => {
    const { options, transport } = agentWith(full({ capabilities: { extendedAgentCard: true, extensions: [{ uri: 'urn:inner' }] } }));
    await createClient('http://agent.test', { ...options, extensions: ['urn:inner'] }).getTask({ id: 't' });
    expect(transport.calls.map(({ extensions }) => extensions)).toEqual([[], ['urn:inner']]);
  });
});
