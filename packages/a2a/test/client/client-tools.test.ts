/** Client tools end to end: a real client and a real agent in one process, without a port. */
import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/client/create-client.js';
import type { RunOptions } from '../../src/client/run/run-options.js';
import type { ClientTool } from '../../src/client/tools/client-tool.js';
import type { Message } from '../../src/protocol/types.js';
import { type AgentOptions, CLIENT_TOOLS, clientTools, createAgent, type Execute, toolResults } from '../../src/server/index.js';
import { createTestFetch } from '../../src/testing/test-fetch.js';

const URI = 'urn:ag2:client-tools:v1';

const WEATHER: ClientTool = {
  name: 'weather',
  description: 'Tells the weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
  execute: ({ city }) => (city === 'Atlantis' ? Promise.reject(new Error('under water')) : `sun in ${city}`),
};

const TIME: ClientTool = { name: 'time', description: 'Tells the time', parameters: { type: 'object' }, execute: () => ({ hour: 9 }) };

function connected(execute: Execute, options: Partial<AgentOptions> = {}, binding?: 'rest' | 'jsonrpc') {
  const agent = createAgent({ name: 'Asker', extensions: [CLIENT_TOOLS], execute, ...options });
  const fetch = createTestFetch(agent, binding ? { binding } : {});
  const client = createClient('http://test', { fetch });
  const run = (more: RunOptions = {}) => client.run('go', { tools: [WEATHER, TIME], ...more });
  /** The messages sent so far, each with its header for extensions. */
  const sends = () =>
    fetch.requests
      .filter(({ method, body }) => method === 'POST' && body?.includes('"message"'))
      .map(({ body, headers }) => {
        const parsed = JSON.parse(body ?? '');
        const message: Message = (parsed.params ?? parsed).message;
        return { message, header: new Headers(headers).get('a2a-extensions') };
      });
  return { client, fetch, run, sends };
}

const both: Execute = async (context, events) => {
  const { call } = clientTools(context, events);
  return `${await call('weather', { city: 'Ulm' })} at ${await call('time')}`;
};

describe.each(['jsonrpc', 'rest'] as const)('over %s', (binding) => {
  test.each(['stream', 'poll'] as const)(
    'G35: a run by %s calls the tools of its caller and ends with the answer of the agent',
    async (mode) => {
      const { run, sends } = connected(both, {}, binding);
      const reply = await run({ mode, pollingIntervalMs: 1 }).result;
      expect(reply.artifacts.at(-1)?.parts).toEqual([{ text: 'sun in Ulm at {"hour":9}' }]);
      expect(sends()).toHaveLength(3);
    },
  );

  test('G33: every message of a run names the extension in its body and in the header, and carries the tool schemas', async () => {
    const { run, sends } = connected(both, {}, binding);
    await run().result;
    const legs = sends();
    expect(legs).toHaveLength(3);
    for (const { message, header } of legs) {
      expect(message.extensions).toEqual([URI]);
      expect(header?.split(',').map((uri) => uri.trim())).toContain(URI);
      expect(message.parts.map(({ mediaType }) => mediaType)).toContain('application/vnd.ag2.tool-schemas+json');
    }
    expect(legs.map(({ message }) => message.taskId !== undefined)).toEqual([false, true, true]);
  });
});

test('G32: an agent that does not declare the extension receives nothing but the request for its card', async () => {
  const { run, fetch } = connected(() => 'x', { extensions: [] });
  await expect(run().result).rejects.toMatchObject({ name: 'A2AClientToolsNotSupportedError', uris: [URI] });
  expect(fetch.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /.well-known/agent-card.json']);
});

test('G32: a run with an empty list of tools works with an agent that does not declare the extension', async () => {
  const { run } = connected(() => 'x', { extensions: [] });
  expect((await run({ tools: [] }).result).text).toBe('x');
});

test('G37: when one of two calls throws, one message carries both results, and the agent sees which call failed', async () => {
  const { run, sends } = connected(async (context, events) => {
    const results = await clientTools(context, events).callAll([{ name: 'weather', arguments: { city: 'Atlantis' } }, { name: 'time' }]);
    return results.map(({ content, error }) => error ?? content).join(', ');
  });
  expect((await run().result).artifacts.at(-1)?.parts).toEqual([{ text: 'under water, {"hour":9}' }]);
  const [, answer] = sends();
  expect(toolResults(answer?.message)).toHaveLength(2);
});

test('C12: tool calls go to the tools, and questions for the user go to onInputRequired', async () => {
  const asked: string[] = [];
  const wants: string[] = [];
  const { run } = connected(async (context, events) => {
    const city = await context.requireInput('which city?');
    const sky = await clientTools(context, events).call('weather', { city });
    return `${sky}: ${await context.requireInput('nice?')}`;
  });
  const turn = run({
    onInputRequired: (prompt) => {
      asked.push(prompt);
      return prompt === 'nice?' ? 'very' : 'Ulm';
    },
  });
  for await (const update of turn) if (update.kind === 'input') wants.push(update.want);
  expect((await turn.result).artifacts.at(-1)?.parts).toEqual([{ text: 'sun in Ulm: very' }]);
  expect([asked, wants]).toEqual([
    ['which city?', 'nice?'],
    ['input', 'tools', 'input'],
  ]);
});

test('G34: a tool call that was answered is not made again at a later question of the same task', async () => {
  let calls = 0;
  const counted: ClientTool = {
    ...TIME,
    execute: () => {
      calls += 1;
      return 'noon';
    },
  };
  const { run } = connected(async (context, events) => {
    await clientTools(context, events).call('time');
    return context.requireInput('and?');
  });
  const reply = await run({ tools: [counted], mode: 'poll', pollingIntervalMs: 1, onInputRequired: () => 'that is all' }).result;
  expect([reply.artifacts.at(-1)?.parts[0]?.text, calls]).toEqual(['that is all', 1]);
});

test('G35: an executor without state of its own is called again with the results', async () => {
  const { run } = connected(async (context, events) => {
    const results = toolResults(context.message);
    if (results.length > 0) return results.map(({ content, error }) => error ?? content).join(', ');
    await clientTools(context, events).callLater([{ name: 'weather', arguments: { city: 'Atlantis' } }, { name: 'time' }]);
    return undefined;
  });
  expect((await run().result).artifacts.at(-1)?.parts).toEqual([{ text: 'under water, {"hour":9}' }]);
});

test('G36: one turn can use a tool of the server and a tool of the caller', async () => {
  const shout = (text: string): string => text.toUpperCase();
  const { run, sends } = connected(async (context, events) =>
    shout(await clientTools(context, events).call('weather', { city: shout('Ulm') })),
  );
  expect((await run().result).artifacts.at(-1)?.parts).toEqual([{ text: 'SUN IN ULM' }]);
  expect(sends()).toHaveLength(2);
});
