// A misspelled option would be ignored without a word: every function that takes options refuses a name that it does not have.
import { describe, expect, test } from 'vitest';
import { expressHandler } from '../src/adapters/express.js';
import { fetchHandler } from '../src/adapters/fetch.js';
import { honoHandler } from '../src/adapters/hono.js';
import { connect, createClient } from '../src/client/index.js';
import { createConversation, createThreads } from '../src/conversation.js';
import { createCoordinator } from '../src/coordinator.js';
import { listen, nodeHandler } from '../src/node.js';
import { createAgent } from '../src/server/index.js';

const URL = 'http://agent.test';
const agent = createAgent({ name: 'Echo', auth: 'none', execute: ({ text }) => text });
const client = createClient(URL);

/** Options as a program without types gives them. */
type Take = (options: object) => unknown;

const CLIENT: Take = (options) => createClient(URL, options);
const COORDINATOR: Take = (options) => createCoordinator({ agents: { a: URL }, ...options });
const CONVERSATION: Take = (options) => createConversation(client, options);
const THREADS: Take = (options) => createThreads(client, options);

const CASES: readonly (readonly [caller: string, take: Take, given: object, words: readonly [wrong: string, right: string]])[] = [
  ['createClient', CLIENT, { retries: {} }, ['retries', 'retry']],
  ['createClient', CLIENT, { timeout: 5 }, ['timeout', 'timeouts']],
  ['createClient', CLIENT, { polling: 5 }, ['polling', 'pollingIntervalMs']],
  ['createClient', CLIENT, { retry: { maxDelay: 5 } }, ['retry.maxDelay', 'retry.maxDelayMs']],
  ['createClient', CLIENT, { reconnect: { max: 5 } }, ['reconnect.max', 'reconnect.maxRetries']],
  ['createClient', CLIENT, { activation: { maxColdStart: 5 } }, ['activation.maxColdStart', 'activation.maxColdStartMs']],
  ['createClient', CLIENT, { breaker: { failure: 5 } }, ['breaker.failure', 'breaker.failures']],
  ['createClient', CLIENT, { timeouts: { idle: 5 } }, ['timeouts.idle', 'timeouts.idleMs']],
  ['createCoordinator', COORDINATOR, { agent: {} }, ['agent', 'agents']],
  ['createCoordinator', COORDINATOR, { retry: { retries: 5 } }, ['retry.retries', 'retry.maxRetries']],
  ['createCoordinator', COORDINATOR, { breaker: { open: 5 } }, ['breaker.open', 'breaker.openMs']],
  ['createCoordinator', COORDINATOR, { client: { header: {} } }, ['client.header', 'client.headers']],
  ['createConversation', CONVERSATION, { store: {} }, ['store', 'storage']],
  ['createConversation', CONVERSATION, { run: { tool: [] } }, ['run.tool', 'run.tools']],
  ['createConversation', CONVERSATION, { run: { reconnect: { factor: 2 } } }, ['run.reconnect.factor', 'run.reconnect.jitter']],
  ['createThreads', THREADS, { names: 'a' }, ['names', 'name']],
  ['createThreads', THREADS, { run: { timeout: {} } }, ['run.timeout', 'run.timeouts']],
  ['fetchHandler', (options) => fetchHandler(agent, options), { base: '/a' }, ['base', 'basePath']],
  ['honoHandler', (options) => honoHandler(agent, options), { url: URL }, ['url', 'publicUrl']],
  ['expressHandler', (options) => expressHandler(agent, options), { route: [] }, ['route', 'routes']],
  ['nodeHandler', (options) => nodeHandler(agent, options), { cors: { origin: '*' } }, ['cors.origin', 'cors.origins']],
];

test.each(CASES)('D39: %s refuses an unknown option and names the nearest', (caller, take, given, [wrong, right]) => {
  expect(() => take(given)).toThrow(`${caller} has no option "${wrong}": did you mean "${right}"?`);
});

describe('functions that give a promise reject', () => {
  test('D39: connect refuses an unknown option and names the nearest', async () => {
    const given: object = { header: {} };
    await expect(connect(URL, given)).rejects.toThrow('connect has no option "header": did you mean "headers"?');
  });

  test('D39: listen refuses an unknown option before it takes a port', async () => {
    const given: object = { prot: 0 };
    await expect(listen(agent, given)).rejects.toThrow('listen has no option "prot": did you mean "port"?');
  });
});

test('D39: an option that is undefined counts as not given', () => {
  const given: object = { retry: undefined, reconnect: undefined, activation: false, breaker: false, timeouts: null };
  expect(createClient(URL, given).url).toBe(URL);
});

test('D39: a value where an object of options belongs is refused with the value', () => {
  const bad = (given: object) => () => createClient(URL, given);
  expect(bad({ retry: 5 })).toThrow('createClient: retry must be an object or false, got 5');
  expect(bad({ reconnect: false })).toThrow('createClient: reconnect must be an object, got false');
});
