/** A coordinator of agents of A2A 0.3 and 1.0. */
import { A2AError } from '@parley/a2a';
import { createClient } from '@parley/a2a/client';
import { createCoordinator } from '@parley/a2a/coordinator';
import { createAgent } from '@parley/a2a/server';
import { createTestFetch } from '@parley/a2a/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { asV03, versionsOf } from './v03-card.js';

type Execute = NonNullable<Parameters<typeof createAgent>[0]['execute']>;

/** A client of an agent in this process, with the version of each of its calls. */
function clientOf(name: string, binding: 'JSONRPC' | 'HTTP+JSON' | '1.0', execute: Execute) {
  const agent = createAgent({ name, execute });
  onTestFinished(() => agent.close({ drainMs: 0 }));
  const through = createTestFetch(agent);
  const { fetch, versions } = versionsOf(binding === '1.0' ? through : asV03(through, binding));
  return { client: createClient('http://test', { fetch, retry: false, reconnect: { initialDelayMs: 1 } }), versions };
}

const echo: Execute = async ({ text }) => `heard: ${text}`;

describe('D50, B24: a coordinator', () => {
  test('D50, B24: asks agents of both versions and both bindings in one round', async () => {
    const agents = [clientOf('A', 'JSONRPC', echo), clientOf('B', 'HTTP+JSON', echo), clientOf('C', '1.0', echo)] as const;
    const [a, b, c] = agents;
    const coordinator = createCoordinator({ agents: { a: a.client, b: b.client, c: c.client } });
    const { outcomes, done } = await coordinator.fanOut(['a', 'b', 'c'], 'hello');
    expect(outcomes.map(({ agent, kind }) => [agent, kind])).toEqual([
      ['a', 'done'],
      ['b', 'done'],
      ['c', 'done'],
    ]);
    expect(done.map(({ reply }) => reply.text)).toEqual(['heard: hello', 'heard: hello', 'heard: hello']);
    expect(agents.map(({ versions }) => [...new Set(versions)])).toEqual([['0.3'], ['0.3'], ['1.0']]);
  });

  test.each(['JSONRPC', 'HTTP+JSON'] as const)(
    'D50, B24: goes on without an agent of 0.3 over %s that fails, and skips it later',
    async (binding) => {
      const bad = clientOf('Bad', binding, async () => {
        throw new A2AError('AGENT_UNAVAILABLE', 'out of memory');
      });
      const good = clientOf('Good', binding, echo);
      const coordinator = createCoordinator({ agents: { bad: bad.client, good: good.client }, breaker: { failures: 2 } });
      const rounds: unknown[] = [];
      for (let round = 0; round < 3; round += 1) {
        const { outcomes } = await coordinator.fanOut(['bad', 'good'], 'hello');
        rounds.push(outcomes.map(({ kind }) => kind));
      }
      expect(rounds).toEqual([
        ['failed', 'done'],
        ['failed', 'done'],
        ['skipped', 'done'],
      ]);
      expect(coordinator.health().bad).toMatchObject({ healthy: false, consecutiveFailures: 2 });
    },
  );

  test.each(['JSONRPC', 'HTTP+JSON'] as const)(
    'D50: an agent names the agent of 0.3 over %s that failed behind it, with its reason',
    async (binding) => {
      const behind = clientOf('Printer', binding, async () => {
        throw new A2AError('SKILL_NOT_FOUND', 'cannot print');
      });
      const relay = clientOf('Relay', binding, async ({ text }) => (await behind.client.send(text)).text);
      await expect(relay.client.send('print')).rejects.toMatchObject({
        reason: 'INTERNAL_ERROR',
        chain: [
          { currentAgent: 'Relay', downstreamAgent: 'Printer', downstreamError: { reason: 'SKILL_NOT_FOUND', message: 'cannot print' } },
        ],
      });
    },
  );
});
