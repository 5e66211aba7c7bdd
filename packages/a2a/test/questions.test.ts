/** D44: a reply is used only for the question that it answers, however often the turn restarts. */
import { describe, expect, test } from 'vitest';
import type { Task } from '../src/protocol/types.js';
import {
  type AgentOptions,
  createAgent,
  memoryStore,
  type RequestContext,
  type StandardSchema,
  type TaskEvents,
  type TaskStore,
} from '../src/server/index.js';
import { manualClock } from '../src/testing/index.js';
import { callerOf, say } from './harness.js';
import { logOf, quiet, refOf, storyOf } from './looking.js';
import { cluster, type Node } from './nodes.js';

type Run = (context: RequestContext, events: TaskEvents) => Promise<void>;

/** The text that the caller sees: the question, or the message of the final status. */
const shown = ({ status }: Task): string => status.message?.parts.map(({ text }) => text).join('') ?? status.state;

type Crashing = Partial<AgentOptions> & { readonly world?: ReturnType<typeof cluster> };

/** Runs one function after the other: before each reply the node is killed, and a new node runs the next function. */
async function crashing(runs: readonly Run[], replies: readonly string[], { world = cluster(), ...options }: Crashing = {}) {
  const startNode = (index: number): Node =>
    world.start({ ...options, executor: { execute: runs[Math.min(index, runs.length - 1)] ?? (async () => {}) } });
  let node = startNode(0);
  let task = await node.caller.task('go');
  const seen = [shown(task)];
  for (const [index, reply] of replies.entries()) {
    await quiet();
    await world.crash(node);
    node = startNode(index + 1);
    task = await node.caller.task(say(reply, { taskId: task.id }));
    seen.push(shown(task));
  }
  const ref = refOf(task.id);
  return { ...world, node, seen, id: task.id, story: await storyOf(world.store, ref), log: await logOf(world.store, ref) };
}

const asking =
  (...prompts: readonly string[]): Run =>
  async (context, events) => {
    const answers: string[] = [];
    for (const prompt of prompts) answers.push(await context.requireInput(prompt));
    await events.complete(answers.join(' '));
  };

describe('D44: questions without an id', () => {
  test('F1: a reply is not used for a question that has changed: the new question is asked', async () => {
    const { seen, story, log } = await crashing([asking('Pay 10 EUR?'), asking('Pay 10000 EUR?')], ['yes', 'no']);
    expect(seen).toEqual(['Pay 10 EUR?', 'Pay 10000 EUR?', 'no']);
    expect(story.filter((line) => line === 'note:replies-dropped')).toHaveLength(1);
    const [dropped] = log.flatMap(({ json }) => JSON.parse(json).note ?? []).filter(({ kind }) => kind === 'replies-dropped');
    expect(dropped).toMatchObject({ from: 3, reason: expect.stringContaining('"Pay 10 EUR?", the run asks "Pay 10000 EUR?"') });
  });

  test('F1: a reply is not used for a changed question after the run was parked and resumed in one process either', async () => {
    const clock = manualClock();
    const prices = [10, 10_000, 10_000];
    const { start } = cluster(undefined, clock);
    const { caller, agent } = start({
      clock,
      executor: { execute: (context, events) => asking(`Pay ${prices.shift()} EUR?`)(context, events) },
    });
    const send = async (text: string, taskId?: string): Promise<Task> => {
      const sent = caller.task(say(text, taskId === undefined ? {} : { taskId }));
      await clock.tick();
      return sent;
    };
    const { id } = await send('go');
    await clock.tick(600_000);
    expect(agent.tasks.running).toEqual([]);
    expect(shown(await send('yes', id))).toBe('Pay 10000 EUR?');
    await clock.tick(600_000);
    expect(shown(await send('certainly', id)), 'the reply to the question that was shown').toBe('certainly');
  });

  test.each([
    ['one added character', 'Pay 10 EUR?', 'Pay 100 EUR?'],
    ['one removed character', 'Pay 10 EUR?', 'Pay 1 EUR?'],
    ['one replaced character', 'Pay 10 EUR?', 'Pay 10 EUR!'],
    ['a space at the end', 'Pay 10 EUR?', 'Pay 10 EUR? '],
    ['the case of a letter', 'Pay 10 EUR?', 'pay 10 EUR?'],
    ['the Unicode form of the same letter', 'Caf\u00e9?', 'Cafe\u0301?'],
    ['nothing', 'Pay 10 EUR?', ''],
  ])('D44: a prompt that differs by %s is another question', async (_name, before, after) => {
    const { seen } = await crashing([asking(before), asking(after)], ['yes']);
    expect(seen[1]).toBe(after);
  });

  test('D44: a prompt given as parts equals its text, and different metadata of a part makes another question', async () => {
    const parts =
      (price: number): Run =>
      async (context, events) =>
        events.complete(await context.requireInput([{ metadata: { price, unit: 'EUR' }, text: 'Pay?' }]));
    const sorted: Run = async (context, events) =>
      events.complete(await context.requireInput([{ text: 'Pay?', metadata: { unit: 'EUR', price: 10 } }]));
    expect((await crashing([parts(10), sorted], ['yes'])).seen).toEqual(['Pay?', 'yes']);
    expect((await crashing([parts(10), parts(10_000)], ['yes'])).seen).toEqual(['Pay?', 'Pay?']);
    const text: Run = async (context, events) => events.complete(await context.requireInput([{ text: 'Pay?' }]));
    expect((await crashing([asking('Pay?'), text], ['yes'])).seen).toEqual(['Pay?', 'yes']);
  });

  test('D44: requireAuth with the prompt of a requireInput is another question', async () => {
    const auth: Run = async (context, events) => {
      await context.requireAuth('Sure?');
      await events.complete('authorized');
    };
    const { seen, node, id } = await crashing([asking('Sure?'), auth], ['yes']);
    expect([seen[1], (await node.caller.get(id)).status.state]).toEqual(['Sure?', 'TASK_STATE_AUTH_REQUIRED']);
  });

  test('D44: from the first changed question on, no reply without an id is used, even if later prompts are equal', async () => {
    const runs = [asking('a?', 'b?', 'c?'), asking('a?', 'b?', 'c?'), asking('a?', 'b?', 'c?'), asking('a?', 'B?', 'c?')];
    const { seen } = await crashing(runs, ['1', '2', '3', '4', '5']);
    expect(seen).toEqual(['a?', 'b?', 'c?', 'B?', 'c?', '1 4 5']);
  });

  test('D44: the replies after a change are used again in the next run', async () => {
    const later = asking('A?', 'b?', 'c?');
    const { seen, story } = await crashing([asking('a?', 'b?'), later], ['1', '2', '3', '4']);
    expect(seen).toEqual(['a?', 'A?', 'b?', 'c?', '2 3 4']);
    expect(story.filter((line) => line === 'note:replies-dropped')).toHaveLength(1);
  });

  test('D44: of two concurrent questions, the second has changed when the run restarts', async () => {
    const both =
      (...prompts: readonly string[]): Run =>
      async (context, events) =>
        events.complete((await Promise.all(prompts.map((prompt) => context.requireInput(prompt)))).join(' '));
    expect((await crashing([both('a?', 'b?'), both('a?', 'c?')], ['1', '2'])).seen).toEqual(['a?', 'c?', '1 2']);
    expect((await crashing([both('a?', 'b?'), both('a?', 'b?'), both('b?', 'a?')], ['1', '2', '3', '4'])).seen).toEqual([
      'a?',
      'b?',
      'b?',
      'a?',
      '3 4',
    ]);
  });
});

describe('D44: questions with an id', () => {
  const ask =
    (...questions: readonly (readonly [prompt: string, id?: string])[]): Run =>
    async (context, events) => {
      const answers: string[] = [];
      for (const [prompt, id] of questions) answers.push(await context.requireInput(prompt, { id }));
      await events.complete(answers.join(' '));
    };

  test('D44: a question with an id gets its reply at any position', async () => {
    const first = ask(['City?', 'city'], ['Date?', 'date']);
    const second = ask(['Class?', 'class'], ['Date?', 'date'], ['City?', 'city']);
    const { seen } = await crashing([first, first, second], ['Ulm', 'today', 'second']);
    expect(seen).toEqual(['City?', 'Date?', 'Class?', 'second today Ulm']);
  });

  test('F1: a question with a changed prompt and the same id is asked again, and no other question is', async () => {
    const first = ask(['Pay 10 EUR?', 'pay'], ['Where?', 'where'], ['When?']);
    const second = ask(['Pay 10000 EUR?', 'pay'], ['Where?', 'where'], ['When?']);
    const { seen, story } = await crashing([first, first, first, second], ['yes', 'here', 'now', 'no']);
    expect(seen).toEqual(['Pay 10 EUR?', 'Where?', 'When?', 'Pay 10000 EUR?', 'no here now']);
    expect(story).not.toContain('note:replies-dropped');
  });

  test('D44: the reply to the changed question is used again, and the first question keeps its own reply', async () => {
    const [ten, thousand] = [ask(['Pay 10 EUR?', 'pay'], ['On?']), ask(['Pay 1000 EUR?', 'pay'], ['On?'])];
    const { seen } = await crashing([ten, thousand, thousand, ten], ['yes', 'no', 'on']);
    expect(seen).toEqual(['Pay 10 EUR?', 'Pay 1000 EUR?', 'On?', 'yes on']);
  });

  test('D44: a mismatch of a question without an id does not affect questions with an id', async () => {
    const first = ask(['a?'], ['b?', 'b'], ['c?']);
    const { seen } = await crashing([first, first, ask(['A?'], ['b?', 'b'], ['c?'])], ['1', '2', '3', '4']);
    expect(seen).toEqual(['a?', 'b?', 'A?', 'c?', '3 2 4']);
  });

  test('D44: a reply without an id is not used for a question with one, and the other way round', async () => {
    expect((await crashing([ask(['a?']), ask(['a?', 'a'])], ['1'])).seen).toEqual(['a?', 'a?']);
    expect((await crashing([ask(['a?', 'a']), ask(['a?'])], ['1'])).seen).toEqual(['a?', 'a?']);
  });

  test('D44: two questions with the same id are both asked, and each gets its own reply again', async () => {
    const twice = ask(['Name?', 'name'], ['Name?', 'name']);
    const { seen } = await crashing([twice], ['Ann', 'Bob']);
    expect(seen).toEqual(['Name?', 'Name?', 'Ann Bob']);
    const agent = createAgent({ name: 'Twice', executor: { execute: twice } });
    const { id } = await callerOf(agent).task('go');
    expect(shown(await callerOf(agent).task(say('Ann', { taskId: id })))).toBe('Name?');
  });

  test.each([
    ['empty', '', '1 to 256 characters, got 0 characters'],
    ['too long', 'x'.repeat(257), '1 to 256 characters, got 257 characters'],
    ['a number', 7, 'a value of type number'],
    ['null', null, 'a value of type null'],
    ['an object', {}, 'a value of type object'],
  ])('D44: an id that is %s is refused with the reason, and nothing is asked', async (_name, id, reason) => {
    const store = memoryStore();
    for (const method of ['requireInput', 'requireAuth'] as const) {
      const execute = async (context: RequestContext, events: TaskEvents): Promise<void> => {
        await events.working();
        await context[method]('well?', { id: id as string });
      };
      const task = await callerOf(createAgent({ name: 'Asker', store, executor: { execute } })).task('go');
      expect(task.status.state).toBe('TASK_STATE_FAILED');
      expect(shown(task)).toContain(reason);
      expect(await storyOf(store, refOf(task.id))).not.toContain('note:asked');
    }
  });

  test('D44: an id of 256 characters, of any kind, is accepted', async () => {
    for (const id of ['x'.repeat(256), '\u0000', '__proto__', '"}', '\ud800']) {
      expect((await crashing([ask(['a?', id], ['b?'])], ['1', '2'])).seen).toEqual(['a?', 'b?', '1 2']);
    }
  });
});

describe('D44: a question that is repeated after a failed schema check', () => {
  const checking = (isValid: (text: string) => boolean): StandardSchema<string> => ({
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: (value) => (isValid(String(value)) ? { value: String(value) } : { issues: [{ message: 'no number' }] }),
    },
  });
  const isNumber = (text: string): boolean => /^\d+$/.test(text);
  const ageThen =
    (schema: StandardSchema<string>, next: string, id?: string): Run =>
    async (context, events) =>
      events.complete(`${await context.requireInput('Age?', { schema, id })} ${await context.requireInput(next)}`);

  test.each([undefined, 'age'])('D44: belongs to the same question (id %s)', async (id) => {
    const run = ageThen(checking(isNumber), 'Name?', id);
    const { seen } = await crashing([run], ['old', '42', 'Ann']);
    expect(seen).toEqual(['Age?', 'That does not fit: no number. Age?', 'Name?', '42 Ann']);
  });

  test('D44: another text of the validation error does not make it another question', async () => {
    const [before, after] = [checking(isNumber), checking(isNumber)];
    Object.assign(after['~standard'], {
      validate: (value: unknown) => (isNumber(String(value)) ? { value } : { issues: [{ message: 'not numeric' }] }),
    });
    const { seen } = await crashing([ageThen(before, 'a?'), ageThen(before, 'a?'), ageThen(after, 'a?')], ['old', '42', 'x']);
    expect(seen).toEqual(['Age?', 'That does not fit: no number. Age?', 'a?', '42 x']);
  });

  test('D44: if the schema now accepts the first reply, the second is unused, and the next question keeps its own', async () => {
    const [strict, lax] = [
      ageThen(checking(isNumber), 'Name?'),
      ageThen(
        checking(() => true),
        'Name?',
      ),
    ];
    expect((await crashing([strict, strict, strict, lax], ['old', '42', 'Ann'])).seen.at(-1)).toBe('old Ann');
  });

  test('D44: a stricter schema repeats only that question', async () => {
    const [lax, strict] = [
      ageThen(
        checking(() => true),
        'Name?',
      ),
      ageThen(checking(isNumber), 'Name?'),
    ];
    const { seen } = await crashing([lax, lax, strict, strict], ['old', 'Ann', '42']);
    expect(seen).toEqual(['Age?', 'Name?', 'That does not fit: no number. Age?', '42 Ann']);
  });
});

describe('D44: logs of the first version, whose notes do not describe the question', () => {
  /** A store that writes notes as the first version did. */
  function oldWorld() {
    const clock = manualClock();
    const inner = memoryStore({ clock });
    const old = (json: string): string =>
      json.startsWith('{"note":{"kind":"asked"') ? '{"note":{"kind":"asked"}}' : json.replace(/"resumes":\d+,/, '');
    const commit: TaskStore['commit'] = (writes) =>
      inner.commit(writes.map((write) => ({ ...write, entries: write.entries.map((entry) => ({ ...entry, json: old(entry.json) })) })));
    return cluster({ ...inner, commit }, clock);
  }

  test('F1: the status after the note holds the question: an equal question gets its reply, a changed one is asked', async () => {
    const same = await crashing([asking('Pay 10 EUR?', 'Sure?')], ['yes', 'sure'], { world: oldWorld() });
    expect(same.seen).toEqual(['Pay 10 EUR?', 'Sure?', 'yes sure']);
    expect(same.log.filter(({ json }) => json.includes('asked')).map(({ json }) => json)).toEqual(
      Array.from({ length: 2 }, () => '{"note":{"kind":"asked"}}'),
    );
    const changed = await crashing([asking('Pay 10 EUR?'), asking('Pay 10000 EUR?')], ['yes'], { world: oldWorld() });
    expect(changed.seen).toEqual(['Pay 10 EUR?', 'Pay 10000 EUR?']);
  });

  test('D44: input and auth questions are distinguished in these logs as well', async () => {
    const auth: Run = async (context, events) => {
      await context.requireAuth('Sure?');
      await events.complete('authorized');
    };
    expect((await crashing([auth, auth], ['yes'], { world: oldWorld() })).seen).toEqual(['Sure?', 'authorized']);
    expect((await crashing([auth, asking('Sure?')], ['yes'], { world: oldWorld() })).seen).toEqual(['Sure?', 'Sure?']);
  });

  test('D44: a repeated question belongs to its first one in these logs as well', async () => {
    const schema: StandardSchema<string> = {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: (value) => (value === 'old' ? { issues: [{ message: 'no number' }] } : { value: String(value) }),
      },
    };
    const run: Run = async (context, events) =>
      events.complete(`${await context.requireInput('Age?', { schema })} ${await context.requireInput('Name?')}`);
    const { seen } = await crashing([run], ['old', '42', 'Ann'], { world: oldWorld() });
    expect(seen).toEqual(['Age?', 'That does not fit: no number. Age?', 'Name?', '42 Ann']);
  });

  test('D44: other entries between the note and the status are skipped, and a waiting message may be the reply', async () => {
    const run: Run = async (context, events) => {
      const answer = context.requireInput('which?');
      void events.appendText('a', 'meanwhile');
      await events.complete(await answer);
    };
    expect((await crashing([run], ['this'], { world: oldWorld() })).seen).toEqual(['which?', 'this']);
  });
});
