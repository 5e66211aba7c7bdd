/** Which interface a call uses when the first one fails. */
import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/client/create-client.js';
import type { ClientOptions } from '../../src/client/options.js';
import { A2AError, A2ATransportError } from '../../src/protocol/errors.js';
import { at, cardWith, scriptedTransport, taskWith } from './scripted-agent.js';

const refused = new A2ATransportError('network', 'refused', { sent: false });
const cutOff = new A2ATransportError('network', 'cut off', { sent: true });
const otherVersion = new A2AError('VERSION_NOT_SUPPORTED', 'only 0.3 here', { peer: 'Echo' });

const card = cardWith({
  supportedInterfaces: [at('JSONRPC', 'http://agent.test/1'), at('HTTP+JSON', 'http://agent.test/2'), at('JSONRPC', 'http://agent.test/3')],
});

/** A client of an agent whose interfaces fail with these errors, by their number. */
function clientOf(faults: Record<string, Error>, options: ClientOptions = {}) {
  const tried: string[] = [];
  const react = (_: unknown, { url }: { readonly url: string }) => {
    const name = url.slice(-1);
    tried.push(name);
    return faults[name] ?? taskWith();
  };
  const transports = [scriptedTransport(react), scriptedTransport(react, 'HTTP+JSON')];
  return { client: createClient(card, { transports, retry: false, ...options }), tried, faults };
}

describe('failover', () => {
  test.each([
    ['cannot be reached', refused],
    ['supports only another protocol version', otherVersion],
  ])('goes to the next interface when one %s, whatever its binding', async (_, fault) => {
    const { client, tried } = clientOf({ 1: fault, 2: fault });
    expect((await client.getTask({ id: 't' })).id).toBe('t-1');
    expect(tried).toEqual(['1', '2', '3']);
  });

  test('stays with the interface that worked until it fails', async () => {
    const { client, tried, faults } = clientOf({ 1: refused });
    await client.getTask({ id: 't' });
    await client.getTask({ id: 't' });
    expect(tried).toEqual(['1', '2', '2']);
    delete faults['1'];
    faults['2'] = refused;
    await client.getTask({ id: 't' });
    await client.getTask({ id: 't' });
    expect(tried.slice(3)).toEqual(['2', '1', '1']);
  });

  test('does not happen when request bytes may have been sent', async () => {
    const { client, tried } = clientOf({ 1: cutOff });
    await expect(client.send('hi')).rejects.toBe(cutOff);
    expect(tried).toEqual(['1']);
  });

  test('does not happen after an answer of the agent', async () => {
    const { client, tried } = clientOf({ 1: new A2AError('TASK_NOT_FOUND', 'no such task', { peer: 'Echo' }) });
    await expect(client.getTask({ id: 't' })).rejects.toMatchObject({ reason: 'TASK_NOT_FOUND' });
    expect(tried).toEqual(['1']);
  });

  test('tries each interface once and then rejects with the error of the preferred one', async () => {
    const { client, tried } = clientOf({ 1: refused, 2: otherVersion, 3: otherVersion });
    await expect(client.getTask({ id: 't' })).rejects.toBe(refused);
    expect(tried).toEqual(['1', '2', '3']);
  });

  test('stops when the caller aborts', async () => {
    const controller = new AbortController();
    const tried: string[] = [];
    const transports = [
      scriptedTransport((_, { url }) => {
        tried.push(url);
        controller.abort();
        return refused;
      }),
    ];
    const client = createClient(card, { transports, retry: false });
    await expect(client.getTask({ id: 't' }, { signal: controller.signal })).rejects.toBeInstanceOf(A2AError);
    expect(tried).toHaveLength(1);
  });

  test('starts with the preferred binding', async () => {
    const { client, tried } = clientOf({ 2: refused }, { prefer: 'rest' });
    await client.getTask({ id: 't' });
    expect(tried).toEqual(['2', '1']);
  });
});
