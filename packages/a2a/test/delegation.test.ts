import { describe, expect, test } from 'vitest';
import { delegationMetadata } from '../src/client/delegation.js';
import { createAgent, type DelegationScope, memoryStore, type RequestContext } from '../src/server/index.js';
import { manualClock } from '../src/testing/index.js';
import { callerOf, gate, say } from './harness.js';
import { quiet, until } from './looking.js';
import { cluster } from './nodes.js';

const URI = 'urn:parley:a2a:delegation:v1';

describe('the scope of an executor', () => {
  test('D23: an agent that a user calls has depth 0, and its task is the root', async () => {
    const scopes: DelegationScope[] = [];
    const agent = createAgent({ name: 'Top', execute: ({ scope }) => void scopes.push(scope) });
    const { id } = await callerOf(agent).task('go');
    expect(scopes).toMatchObject([{ depth: 0, rootTaskId: id }]);
    expect(scopes[0]?.signal).toBeInstanceOf(AbortSignal);
  });

  test('D23: an agent that another agent calls gets its depth, the root task and the trace, also after a crash', async () => {
    const world = cluster();
    const scopes: unknown[] = [];
    const executor = {
      async execute(context: RequestContext) {
        const { depth, rootTaskId, trace } = context.scope;
        scopes.push([context.attempt, depth, rootTaskId, trace]);
        await context.requireInput('?');
      },
    };
    const first = world.start({ executor });
    const metadata = { [URI]: { depth: 3, rootTaskId: 'root' } };
    const { task: { id } = { id: '' } } = await first.caller.send(say('go', { metadata }), undefined, { trace: 'its-trace' });
    await quiet();
    await world.crash(first);
    await world.start({ executor }).caller.task(say('yes', { taskId: id }));
    expect(scopes).toEqual([
      [1, 3, 'root', 'its-trace'],
      [2, 3, 'root', 'its-trace'],
    ]);
  });

  test('D23: its signal is the signal of the run: a cancel aborts it', async () => {
    const [begun, over] = [gate(), gate()];
    let scope: DelegationScope | undefined;
    const agent = createAgent({
      name: 'Parent',
      execute: async (context, events) => {
        scope = context.scope;
        await events.working();
        begun.open();
        await over.passed;
        context.scope.signal.throwIfAborted();
      },
    });
    const caller = callerOf(agent);
    const { id } = await caller.task(say('go'), { returnImmediately: true });
    await begun.passed;
    expect(scope?.signal.aborted).toBe(false);
    const canceled = caller.cancel(id);
    await until(() => scope?.signal.aborted === true);
    over.open();
    expect((await canceled).status.state).toBe('TASK_STATE_CANCELED');
  });

  test('D23: its deadline is the limit of the run, without the time in which the run waits for its caller', async () => {
    const clock = manualClock(1_000_000);
    const deadlines: (number | undefined)[] = [];
    const agent = createAgent({
      name: 'Timed',
      clock,
      store: memoryStore({ clock }),
      maxRunMs: 60_000,
      execute: async (context) => {
        deadlines.push(context.scope.deadline);
        const asked = context.requireInput('?');
        await quiet();
        await clock.tick(5_000);
        deadlines.push(context.scope.deadline);
        await asked;
        deadlines.push(context.scope.deadline);
      },
    });
    const caller = callerOf(agent);
    const { id } = await caller.task('go');
    await until(() => deadlines.length === 2);
    await clock.tick(20_000);
    await caller.task(say('yes', { taskId: id }));
    expect(deadlines).toEqual([1_060_000, 1_065_000, 1_085_000]);
  });

  test('D23: a copy of the context has the scope as well', async () => {
    const depths: number[] = [];
    const agent = createAgent({
      name: 'Copied',
      buildContext: async (request, build) => ({ ...(await build(request)) }),
      execute: ({ scope }) => void depths.push(scope.depth),
    });
    await callerOf(agent).task(say('go', { metadata: { [URI]: { depth: 2 } } }));
    expect(depths).toEqual([2]);
  });
});

describe('a cycle of agents', () => {
  test('D23: a message above the maximum depth is refused before execute, and a message at the maximum is accepted', async () => {
    const runs: number[] = [];
    const agent = createAgent({
      name: 'Deep',
      execute: (context) => {
        runs.push(0);
        runs.push(context.scope.depth);
      },
    });
    const caller = callerOf(agent);
    const at = (depth: unknown) => say('go', { metadata: { [URI]: { depth } as never } });
    for (const send of [() => caller.task(at(9)), () => caller.stream(at(9))]) {
      await expect(send()).rejects.toMatchObject({ reason: 'INVALID_REQUEST', retryable: false, metadata: { depth: '9' } });
    }
    await expect(caller.task(at('many'))).rejects.toMatchObject({
      reason: 'INVALID_PARAMS',
      violations: [{ field: `message.metadata["${URI}"].depth`, description: 'must be a whole number of at least 0' }],
    });
    expect(runs).toEqual([]);
    await caller.task(at(8));
    expect(runs).toEqual([0, 8]);
  });

  test('D23: two agents that call each other stop after eight nested calls', async () => {
    const depths: number[] = [];
    const ends: string[] = [];
    const circle = ['a', 'b'].map((name, index) =>
      createAgent({
        name,
        execute: async ({ scope }) => {
          depths.push(scope.depth);
          const next = circle[1 - index];
          if (next === undefined) return;
          const metadata = delegationMetadata(scope);
          const { status } = await callerOf(next).task(say('your turn', metadata ? { metadata } : {}));
          ends.push(status.state);
        },
      }),
    );
    const [first] = circle;
    if (first === undefined) throw new Error('no agent');
    const failure = await callerOf(first)
      .task('go')
      .catch((error) => error);
    expect(depths).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(failure).toMatchObject({ reason: 'INVALID_REQUEST' });
    expect(ends).toEqual([]);
  });
});
