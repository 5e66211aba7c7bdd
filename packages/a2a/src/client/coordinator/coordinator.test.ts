import { describe, expect, test } from 'vitest';
import { scripted, settle, team, unavailable } from '../../../test/client/scripted-team.js';
import { A2AError, A2ATransportError } from '../../protocol/errors.js';
import type { AgentCard } from '../../protocol/types.js';
import { createCoordinator } from './create-coordinator.js';

const CARD: AgentCard = {
  name: 'C',
  description: 'An agent',
  version: '1.0.0',
  supportedInterfaces: [{ url: 'https://c.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: {},
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
};

describe('health', () => {
  test('B24: lists every agent with its URL and its recent failures', async () => {
    const { a, clock, coordinator } = team();
    const healthy = { healthy: true, consecutiveFailures: 0, lastFailure: undefined, openUntil: undefined };
    expect(coordinator.health()).toEqual({
      a: { url: 'https://a.test', ...healthy },
      b: { url: 'https://b.test', ...healthy },
      c: { url: 'https://c.test', ...healthy },
    });
    const end = async (how: () => void): Promise<void> => {
      const outcome = coordinator.delegate('a', 'hi');
      await settle();
      how();
      await outcome;
    };
    const fail = (): void => a.fail(unavailable());
    await end(fail);
    await clock.tick(500);
    await end(fail);
    expect(coordinator.health().a).toEqual({
      url: 'https://a.test',
      healthy: true,
      consecutiveFailures: 2,
      lastFailure: 1_500,
      openUntil: undefined,
    });
    await end(fail);
    expect(coordinator.health().a).toMatchObject({ healthy: false, consecutiveFailures: 3, lastFailure: 1_500, openUntil: 31_500 });
    await clock.tick(30_000);
    await end(() => a.answer('better'));
    expect(coordinator.health().a).toMatchObject({ healthy: true, consecutiveFailures: 0, openUntil: undefined });
    expect(coordinator.health().b).toMatchObject(healthy);
  });

  test('B24: an error of the caller does not count against the agent', async () => {
    const { a, coordinator } = team();
    for (let count = 0; count < 3; count += 1) {
      const outcome = coordinator.delegate('a', 'hi');
      await settle();
      a.fail(new A2AError('INVALID_PARAMS', 'what?'));
      await outcome;
    }
    expect(coordinator.health().a).toMatchObject({ healthy: true, consecutiveFailures: 0 });
  });
});

describe('creating and closing', () => {
  test('B16: agents are given as clients, URLs or cards; only clients created by the coordinator are closed', async () => {
    const a = scripted('a');
    const exchange = () => Promise.reject(new A2ATransportError('network', 'refused', { sent: false }));
    const coordinator = createCoordinator({ agents: { a, b: 'https://b.example', c: CARD }, client: { exchange } });
    expect(coordinator.health()).toMatchObject({ b: { url: 'https://b.example' }, c: { url: 'https://c.example/a2a' } });
    await coordinator.close();
    expect(a.events).toEqual([]);
    for (const name of ['b', 'c'] as const) {
      expect(await coordinator.delegate(name, 'hi')).toMatchObject({ kind: 'failed', error: { message: /was closed/ } });
    }
  });

  test('B16: an empty list and an invalid agent are refused immediately', () => {
    expect(() => createCoordinator({ agents: {} })).toThrow('createCoordinator needs at least one agent');
    expect(() => createCoordinator({ agents: { a: 'not a url' } })).toThrow(A2AError);
  });
});
