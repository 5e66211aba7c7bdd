/** F1 and F5 on PostgreSQL: questions and replies across restarts and nodes. */
import { afterEach, describe, expect, inject, test } from 'vitest';
import { postgres } from '../../src/postgres.js';
import { type Agent, type AgentExecutor, createAgent } from '../../src/server/index.js';
import { checkAnswerStream, fastExecutor } from '../fast-agent.js';
import { callerOf, gate, say } from '../harness.js';
import { testKilledCashier } from '../killed-cashier.js';
import { inboxOf, refOf, until } from '../looking.js';
import { newSchema } from './provided.js';

const agents: Agent[] = [];
afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.close({ drainMs: 0 });
});

function start(schema: string, executor: AgentExecutor) {
  const store = postgres(inject('postgresUrl'), { schema });
  const agent = createAgent({ name: 'Cashier', store, executor });
  agents.push(agent);
  return { agent, store, caller: callerOf(agent) };
}

describe('F1: on PostgreSQL, with a process that is killed', () => {
  testKilledCashier({
    newPlace: () => [inject('postgresUrl'), newSchema()],
    open: (url = '', schema = '') => postgres(url, { schema }),
  });
});

describe('D44: on PostgreSQL', () => {
  test('D44: a second "yes" that another node posts without a notification does not answer the next question', {
    timeout: 30_000,
  }, async () => {
    const schema = newSchema();
    const asks = gate();
    const executor: AgentExecutor = {
      async execute(context, events) {
        const first = await context.requireInput('Delete the file?');
        await asks.passed;
        await events.complete(`${first} ${await context.requireInput('Delete the disk?')}`);
      },
    };
    const [owner, other] = [start(schema, executor), start(schema, executor)];
    await until(() => [owner, other].every(({ agent }) => agent.readiness === 'ready'));
    const { id } = await owner.caller.task('go');
    const answered = other.caller.task(say('yes', { taskId: id }));
    const rows = () => inboxOf(owner.store, refOf(id));
    while ((await rows())[0]?.state !== 'taken');
    expect(await other.store.post(refOf(id), 'message', (await rows())[0]?.json ?? '')).toBe(2);
    asks.open();
    expect((await answered).status.message?.parts).toEqual([{ text: 'Delete the disk?' }]);
    const done = await other.caller.task(say('no', { taskId: id }));
    expect(done.status.message?.parts).toEqual([{ text: 'yes no' }]);
    expect((await rows()).map(({ state }) => state)).toEqual(['taken', 'refused', 'taken']);
  });
});

describe('F5: on PostgreSQL', () => {
  test('F5: a stream that answers a question starts with the Task at the time of the reply, then has every later event', {
    timeout: 60_000,
  }, async () => {
    const { store, caller } = start(newSchema(), fastExecutor);
    for (let time = 0; time < 50; time += 1) await checkAnswerStream(store, caller, caller);
  });

  test('F5: the same applies when another node owns the task', { timeout: 60_000 }, async () => {
    const schema = newSchema();
    const [owner, other] = [start(schema, fastExecutor), start(schema, fastExecutor)];
    await until(() => [owner, other].every(({ agent }) => agent.readiness === 'ready'));
    for (let time = 0; time < 50; time += 1) await checkAnswerStream(owner.store, owner.caller, other.caller);
  });
});
