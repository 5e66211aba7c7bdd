import { describe, expect, test } from 'vitest';
import { silentLogger } from '../platform/logger.js';
import type { RequestContext, TaskEvents } from '../server/executor/executor.js';
import { manualClock } from './manual-clock.js';
import { scriptedExecutor } from './scripted-executor.js';

/** Records each call as `name(arguments)`. */
function listener(): { readonly said: string[]; readonly events: TaskEvents } {
  const said: string[] = [];
  const note =
    (name: string) =>
    async (...args: readonly unknown[]): Promise<void> => {
      said.push(`${name}(${args.map((arg) => JSON.stringify(arg)).join()})`);
    };
  const names = ['working', 'progress', 'status', 'appendText', 'artifact', 'file', 'data', 'task', 'reply'] as const;
  const ends = ['complete', 'fail', 'reject', 'canceled', 'publish', 'flush'] as const;
  // Every member of TaskEvents is a function that resolves to nothing, and all of them are listed.
  return { said, events: Object.fromEntries([...names, ...ends].map((name) => [name, note(name)])) as unknown as TaskEvents };
}

function contextWith(signal: AbortSignal, clock = manualClock()): RequestContext {
  const requireInput = async (prompt: unknown): Promise<string> => `answer to ${String(prompt)}`;
  return {
    taskId: 't',
    contextId: 'c',
    tenant: '',
    caller: { id: '' },
    parts: [],
    text: '',
    relatedTasks: [],
    metadata: {},
    requestedExtensions: [],
    attempt: 1,
    signal,
    scope: { signal, depth: 0 },
    clock,
    logger: silentLogger,
    getUserInput: () => '',
    attachRelatedTask: () => {},
    conversation: async () => [],
    // The typed form is not used here.
    requireInput: requireInput as RequestContext['requireInput'],
    requireAuth: async () => ({ messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'token' }] }),
  };
}

const never = new AbortController().signal;

describe('Section 9: an executor that follows a script', () => {
  test('Section 9: it performs its steps in order and records the answers', async () => {
    const { said, events } = listener();
    const executor = scriptedExecutor([
      { do: 'working', text: 'on it' },
      { do: 'append', artifactId: 'a', text: 'chunk', last: true },
      { do: 'requireInput', prompt: 'which?' },
      { do: 'requireAuth', prompt: 'log in' },
      { do: 'publish', event: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'hi' }] } },
      { do: 'flush' },
      { do: 'call', run: (_context, said) => said.progress(0.5) },
      { do: 'complete' },
    ]);
    await executor.execute(contextWith(never), events);
    expect(said).toEqual([
      'working("on it")',
      'appendText("a","chunk",{"last":true})',
      'publish({"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"hi"}]})',
      'flush()',
      'progress(0.5)',
      'complete()',
    ]);
    expect(executor.answers).toEqual(['answer to which?', '[{"text":"token"}]']);
    expect(executor.runs.map(({ taskId }) => taskId)).toEqual(['t']);
  });

  test('Section 9: later calls of execute have their own steps, and the last ones repeat', async () => {
    const { said, events } = listener();
    const executor = scriptedExecutor([{ do: 'working' }], { turns: [[{ do: 'fail', text: 'two' }], [{ do: 'reply', text: 'three' }]] });
    for (let run = 0; run < 4; run += 1) await executor.execute(contextWith(never), events);
    expect(said).toEqual(['working()', 'fail("two")', 'reply("three")', 'reply("three")']);
  });

  test('Section 9: it throws the error of the script', async () => {
    const { events } = listener();
    const error = new Error('as planned');
    await expect(scriptedExecutor([{ do: 'throw', error }]).execute(contextWith(never), events)).rejects.toBe(error);
  });

  test('Section 9: it sleeps on the clock of the agent', async () => {
    const { said, events } = listener();
    const clock = manualClock();
    const run = scriptedExecutor([{ do: 'sleep', ms: 100 }, { do: 'reject' }]).execute(contextWith(never, clock), events);
    await clock.tick(99);
    expect(said).toEqual([]);
    await clock.tick(1);
    await run;
    expect(said).toEqual(['reject()']);
  });

  test('Section 9: a gate blocks until it is opened, and never again', async () => {
    const { said, events } = listener();
    const executor = scriptedExecutor([{ do: 'gate', name: 'go' }, { do: 'complete' }]);
    const run = executor.execute(contextWith(never), events);
    expect(said).toEqual([]);
    executor.open('go');
    await run;
    await executor.execute(contextWith(never), events);
    expect(said).toEqual(['complete()', 'complete()']);
  });

  test('Section 9: an abort ends a sleep or a wait at a gate, and leaves no timer', async () => {
    const { events } = listener();
    const clock = manualClock();
    const stop = new AbortController();
    const asleep = scriptedExecutor([{ do: 'sleep', ms: 100 }]).execute(contextWith(stop.signal, clock), events);
    const held = scriptedExecutor([{ do: 'gate', name: 'go' }]).execute(contextWith(stop.signal, clock), events);
    stop.abort(new Error('stopped'));
    await expect(asleep).rejects.toThrow('stopped');
    await expect(held).rejects.toThrow('stopped');
    expect(clock.pending).toBe(0);
  });

  test('Section 9: it has a cancel only when the script has one', async () => {
    const { said, events } = listener();
    expect(scriptedExecutor([]).cancel).toBeUndefined();
    const executor = scriptedExecutor([], { cancel: [{ do: 'canceled', text: 'bye' }] });
    await executor.cancel?.(contextWith(never), events);
    expect(said).toEqual(['canceled("bye")']);
    expect(executor.cancels.length).toBe(1);
  });
});
