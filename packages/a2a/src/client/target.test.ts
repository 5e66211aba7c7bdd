import { describe, expect, test } from 'vitest';
import { type A2AError, A2AInvalidCardError, isA2AError } from '../protocol/errors.js';
import type { AgentCard } from '../protocol/types.js';
import { connect, createClient } from './create-client.js';

/** Untyped programs pass any value. */
function refusal(value: unknown): A2AError {
  try {
    createClient(value as string);
  } catch (thrown) {
    if (isA2AError(thrown)) return thrown;
    throw thrown;
  }
  throw new Error(`${String(value)} was accepted`);
}

const URL_EXAMPLE = 'such as http://localhost:4000';

describe('F36: an invalid address is refused with a message that names it and says what to do', () => {
  test.each<readonly [unknown, string]>([
    [undefined, `The address of the agent is undefined: give its URL, ${URL_EXAMPLE}, or its card`],
    [null, `The address of the agent is null: give its URL, ${URL_EXAMPLE}, or its card`],
    [4000, `The address of the agent is a number: give its URL, ${URL_EXAMPLE}, or its card`],
    [() => 'x', `The address of the agent is a function: give its URL, ${URL_EXAMPLE}, or its card`],
    [Promise.resolve('http://a.test'), 'The address of the agent is a Promise: await it first'],
    ['', `The address of the agent is empty: give its URL, ${URL_EXAMPLE}`],
    [' ', `The address of the agent is blank: give its URL, ${URL_EXAMPLE}`],
    ['\t\n', `The address of the agent is blank: give its URL, ${URL_EXAMPLE}`],
    ['localhost:4000', 'The address "localhost:4000" is not an http or https URL: did you mean http://localhost:4000?'],
    ['localhost', 'The address "localhost" is not an http or https URL: did you mean http://localhost?'],
    ['localhost:4000/a', 'The address "localhost:4000/a" is not an http or https URL: did you mean http://localhost:4000/a?'],
    ['127.0.0.1:4000', 'The address "127.0.0.1:4000" is not an http or https URL: did you mean http://127.0.0.1:4000?'],
    ['[::1]:4000', 'The address "[::1]:4000" is not an http or https URL: did you mean http://[::1]:4000?'],
    ['agent:8080', 'The address "agent:8080" is not an http or https URL: did you mean http://agent:8080?'],
    ['agent.example', 'The address "agent.example" is not an http or https URL: did you mean https://agent.example?'],
    ['agent.example/a', 'The address "agent.example/a" is not an http or https URL: did you mean https://agent.example/a?'],
    ['//agent.example', 'The address "//agent.example" is not an http or https URL: did you mean https://agent.example?'],
    [
      '/path',
      'The address "/path" is not an http or https URL, but only a path: put the origin of the agent before it, such as http://localhost:4000/path',
    ],
    ['ftp://agent.example', `The address "ftp://agent.example" is not an http or https URL: give the whole URL, ${URL_EXAMPLE}`],
    ['http://', `The address "http://" is not an http or https URL: give the whole URL, ${URL_EXAMPLE}`],
    ['nowhere', `The address "nowhere" is not an http or https URL: give the whole URL, ${URL_EXAMPLE}`],
    ['my agent', `The address "my agent" is not an http or https URL: give the whole URL, ${URL_EXAMPLE}`],
    ['file:///etc/passwd', `The address "file:///etc/passwd" is not an http or https URL: give the whole URL, ${URL_EXAMPLE}`],
    ['http://user:secret@a.test', 'The URL contains a user name: pass credentials as an option instead'],
  ])('F36: %s', (value, message) => {
    expect(refusal(value)).toMatchObject({ reason: 'INVALID_PARAMS', kind: 'validation', message });
  });

  test.each([
    'ftp://me:secret@a.test/',
    'me:secret@a.test',
    'a.test?key=secret',
    'localhost:4000?key=secret',
    '/path?key=secret',
    `ftp://${'x'.repeat(100_000)}`,
  ])('F36: the error for %.30s is short and contains no secret', (value) => {
    const { message } = refusal(value);
    expect(message).not.toContain('secret');
    expect(message.length).toBeLessThan(400);
  });

  test.each<readonly [unknown, string]>([
    [{}, 'is not an AgentCard'],
    [[], 'is not an AgentCard'],
    [{ url: 'http://localhost:4000' }, 'is not an AgentCard'],
    [new Map(), 'is not an AgentCard'],
  ])('F36: an object that is not a card is refused: %j', (value, words) => {
    const error = refusal(value);
    expect(error).toBeInstanceOf(A2AInvalidCardError);
    expect(error.message).toContain(`The object given as the agent's card ${words}: `);
    expect(error.message).toContain('Give a whole card, or a URL');
    expect(error.message).not.toMatch(/GetAgentCard|at hand/);
  });

  test('F36: connect rejects with the same errors', async () => {
    const bad: unknown = undefined;
    await expect(connect(bad as string)).rejects.toMatchObject({ message: expect.stringContaining('is undefined') });
  });
});

test('a URL object, a URL string and a card are accepted', () => {
  const card: AgentCard = {
    name: 'A',
    description: 'a',
    version: '1',
    capabilities: {},
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
    supportedInterfaces: [{ url: 'http://a.test/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  };
  expect(createClient('http://a.test/x').url).toBe('http://a.test/x');
  expect(createClient(new URL('https://a.test/')).url).toBe('https://a.test/');
  expect(createClient(card).url).toBe('http://a.test/rpc');
});
