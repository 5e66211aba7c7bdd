/** Agents that ask the user, call client tools or request authorization, on one task and in one sequence of updates. */
import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { createRun, createWatch } from '../../src/client/run/create-run.js';
import type { Question, RunOptions } from '../../src/client/run/run-options.js';
import { CLIENT_TOOLS_URI, toCallArtifact, toolResults } from '../../src/protocol/client-tools.js';
import {
  A2AError,
  A2AInputRequiredError,
  A2AInputTimeoutError,
  A2ATaskAuthRequiredError,
  A2ATransportError,
} from '../../src/protocol/errors.js';
import type { StreamResponse } from '../../src/protocol/types.js';
import { manualClock } from '../../src/testing/manual-clock.js';
import { deltas, walk, walkOver } from './run-walk.js';
import { artifact, CONTEXT, chunk, collect, type Step, says, scriptedPeer, status, TASK, task, theTask } from './scripted-peer.js';

const BEGIN = task('TASK_STATE_WORKING');
const DONE = status('TASK_STATE_COMPLETED');
const GO_ON = (...artifacts: ReturnType<typeof artifact>[]): StreamResponse => task('TASK_STATE_WORKING', { artifacts });

let minute = 0;
const asks = (prompt: string): StreamResponse => {
  minute += 1;
  return status('TASK_STATE_INPUT_REQUIRED', prompt, `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000Z`);
};

const sent = (peer: { calls: readonly { params: { message?: unknown } }[] }): unknown[] => peer.calls.map(({ params }) => params.message);

describe('questions for the user', () => {
  test('G1: several messages on one task give one sequence of updates and one answer', async () => {
    const { peer, updates, reply } = await walk(
      [
        { events: [BEGIN, chunk('partial-', { append: false }), asks('Sure?')] },
        { events: [GO_ON(artifact('partial-')), status('TASK_STATE_COMPLETED', 'final-yes')] },
      ],
      { onInputRequired: () => 'yes' },
    );
    expect(reply?.text).toBe('partial-final-yes');
    expect(deltas(updates).join('')).toBe('partial-final-yes');
    expect(updates.map(({ kind }) => kind)).toEqual([
      'task',
      'state',
      'artifact',
      'text',
      'state',
      'input',
      'task',
      'state',
      'state',
      'text',
    ]);
    expect(peer.methods).toEqual(['SendStreamingMessage', 'SendStreamingMessage']);
  });

  test('G15: an agent can ask any number of questions; each reply goes to the same task and context as one text', async () => {
    const prompts: string[] = [];
    const { peer, reply } = await walk(
      [
        { events: [BEGIN, asks('1?')] },
        { events: [GO_ON(), asks('2?')] },
        { events: [GO_ON(), asks('3?')] },
        { events: [GO_ON(), chunk('thanks', { append: false }), DONE] },
      ],
      {
        onInputRequired(prompt) {
          prompts.push(prompt);
          return `answer ${prompts.length}`;
        },
      },
    );
    expect(prompts).toEqual(['1?', '2?', '3?']);
    expect(reply?.text).toBe('thanks');
    expect(sent(peer).slice(1)).toEqual(
      [1, 2, 3].map((n) => ({
        messageId: expect.any(String),
        role: 'ROLE_USER',
        taskId: TASK,
        contextId: CONTEXT,
        parts: [{ text: `answer ${n}` }],
      })),
    );
  });

  test('G15: a reply can be parts or a whole message', async () => {
    const answers = [[{ data: 1 }], { parts: [{ url: 'u' }], metadata: { a: 1 } }];
    const { peer } = await walk([{ events: [BEGIN, asks('1?')] }, { events: [GO_ON(), asks('2?')] }, { events: [GO_ON(), DONE] }], {
      onInputRequired: async () => answers.shift() ?? 'none',
    });
    expect(sent(peer).slice(1)).toMatchObject([{ parts: [{ data: 1 }] }, { parts: [{ url: 'u' }], metadata: { a: 1 } }]);
  });

  test('G16: the prompt is the text of the question, joined without a separator', async () => {
    const question = says('', { parts: [{ text: 'Which ' }, { data: { choices: 2 } }, { text: 'city?' }] });
    let asked: Question | undefined;
    const { updates } = await walk([{ events: [BEGIN, status('TASK_STATE_INPUT_REQUIRED', question)] }, { events: [GO_ON(), DONE] }], {
      onInputRequired(_, whole) {
        asked = whole;
        return 'Rome';
      },
    });
    expect(asked).toMatchObject({ prompt: 'Which city?', message: question, task: { id: TASK } });
    expect(updates.find(({ kind }) => kind === 'input')).toMatchObject({ want: 'input', prompt: 'Which city?', task: { id: TASK } });
  });

  test('G16: a question without text has a default prompt', async () => {
    const prompts: string[] = [];
    const onInputRequired = (prompt: string): string => {
      prompts.push(prompt);
      return 'x';
    };
    await walk([{ events: [BEGIN, status('TASK_STATE_INPUT_REQUIRED')] }, { events: [GO_ON(), DONE] }], { onInputRequired });
    expect(prompts).toEqual(['Please provide input:']);
  });

  test('G17: the prompt is not part of the answer, with streaming and with polling', async () => {
    const waiting = theTask('TASK_STATE_INPUT_REQUIRED', { said: says('Secret?'), artifacts: [artifact('a')] });
    const over = theTask('TASK_STATE_COMPLETED', { artifacts: [artifact('a', 'b')], history: [says('Secret?')] });
    const streams: Step[] = [{ events: [{ task: waiting }] }, { events: [{ task: over }] }];
    const polls: Step[] = [{ value: { task: waiting } }, { value: { task: over } }];
    for (const [mode, steps] of [
      ['stream', streams],
      ['poll', polls],
    ] as const) {
      const { reply, updates } = await walk(steps, { mode, onInputRequired: () => 'x' });
      expect(reply?.text).toBe('ab');
      expect(deltas(updates).join('')).toBe('ab');
    }
  });

  test('G18: when no reply comes in time, the run ends, the task keeps waiting, and the signal of the question aborts', async () => {
    let signal: AbortSignal | undefined;
    const onInputRequired = (_: string, question: Question): Promise<string> => {
      signal = question.signal;
      return new Promise(() => {});
    };
    const { peer, error } = await walk([{ events: [BEGIN, asks('Which?')] }], { onInputRequired, inputRequiredTimeoutMs: 2_000 });
    expect(error).toBeInstanceOf(A2AInputTimeoutError);
    expect(error).toMatchObject({ prompt: 'Which?', task: { status: { state: 'TASK_STATE_INPUT_REQUIRED' } } });
    expect(signal?.aborted).toBe(true);
    expect(peer.methods).toEqual(['SendStreamingMessage']);
    const later = await walk([{ events: [GO_ON(), DONE] }], { taskId: TASK });
    expect(later.reply?.finishReason).toBe('completed');
    expect(sent(later.peer)).toMatchObject([{ taskId: TASK }]);
  });

  test('G18: a reply in time leaves no timer, and the signal of the question does not abort', async () => {
    let signal: AbortSignal | undefined;
    const { reply } = await walk([{ events: [BEGIN, asks('Which?')] }, { events: [GO_ON(), DONE] }], {
      inputRequiredTimeoutMs: 2_000,
      onInputRequired(_, question) {
        signal = question.signal;
        return 'this';
      },
    });
    expect(reply?.finishReason).toBe('completed');
    expect(signal?.aborted).toBe(false);
  });

  test('G19: without a handler the error has the task and the prompt', async () => {
    const { error, updates } = await walk([{ events: [BEGIN, asks('Which?')] }]);
    expect(error).toBeInstanceOf(A2AInputRequiredError);
    expect(error).toMatchObject({
      reason: 'INPUT_REQUIRED',
      prompt: 'Which?',
      task: { id: TASK, status: { state: 'TASK_STATE_INPUT_REQUIRED' } },
    });
    expect(updates.at(-1)).toMatchObject({ kind: 'input', want: 'input' });
  });

  test('G20: extensions are sent in the call and in the message, with every message and after a dropped connection', async () => {
    const { peer } = await walk([{ events: [BEGIN], end: 'drop' }, { events: [BEGIN, asks('Which?')] }, { events: [GO_ON(), DONE] }], {
      extensions: ['urn:a'],
      onInputRequired: () => ({ parts: [{ text: 'x' }], extensions: ['urn:b'] }),
    });
    expect(peer.calls.map(({ options }) => options.extensions)).toEqual([['urn:a'], ['urn:a'], ['urn:a']]);
    expect(sent(peer)).toMatchObject([{ extensions: ['urn:a'] }, undefined, { extensions: ['urn:b', 'urn:a'] }]);
  });

  test('onInputRequired of the client is the default, and a run can override it', async () => {
    const steps: Step[] = [{ events: [BEGIN, asks('Which?')] }, { events: [GO_ON(), DONE] }];
    const settings = { onInputRequired: () => 'client' };
    expect(sent((await walk(steps, {}, { settings })).peer)[1]).toMatchObject({ parts: [{ text: 'client' }] });
    expect(sent((await walk(steps, { onInputRequired: () => 'run' }, { settings })).peer)[1]).toMatchObject({ parts: [{ text: 'run' }] });
  });

  test('an error of a handler ends the run: an A2AError unchanged, any other value as its cause', async () => {
    const mine = new A2AError('AGENT_UNAVAILABLE', 'not now');
    const fail = (thrown: unknown): RunOptions => ({
      onInputRequired() {
        throw thrown;
      },
    });
    expect((await walk([{ events: [BEGIN, asks('1?')] }], fail(mine))).error).toBe(mine);
    const { error } = await walk([{ events: [BEGIN, asks('1?')] }], fail(new TypeError('oops')));
    expect(error).toMatchObject({ reason: 'INTERNAL_ERROR', message: 'onInputRequired failed: oops', cause: new TypeError('oops') });
  });

  test('an invalid reply of a handler is refused, and the error names the handler', async () => {
    // @ts-expect-error: tests an invalid argument
    const { error } = await walk([{ events: [BEGIN, asks('1?')] }], { onInputRequired: () => undefined });
    expect(error).toMatchObject({ reason: 'INVALID_PARAMS', message: expect.stringContaining('the result of onInputRequired') });
  });
});

describe('C13: the state of the task decides, not the end of the stream', () => {
  test('C13: a stream that stays open at INPUT_REQUIRED does not delay the question', async () => {
    const { reply } = await walk(
      [
        { events: [BEGIN, asks('Which?')], end: 'stall' },
        { events: [GO_ON(), DONE], end: 'stall' },
      ],
      { onInputRequired: () => 'x' },
    );
    expect(reply?.finishReason).toBe('completed');
  });

  test('C13: a stream that starts with the question just answered does not ask it again', async () => {
    const question = asks('Which?');
    const old = { task: theTask('TASK_STATE_INPUT_REQUIRED', { status: question.statusUpdate?.status }) };
    let count = 0;
    const { reply } = await walk([{ events: [BEGIN, question] }, { events: [old, status('TASK_STATE_WORKING'), DONE] }], {
      onInputRequired() {
        count += 1;
        return 'x';
      },
    });
    expect(reply?.finishReason).toBe('completed');
    expect(count).toBe(1);
  });

  test('C13: a run on an existing task treats a first question as old when events follow it, and as new otherwise', async () => {
    const shown = task('TASK_STATE_INPUT_REQUIRED', { said: says('Which?') });
    const answers = await walk([{ events: [shown, status('TASK_STATE_WORKING'), DONE] }], { taskId: TASK });
    expect(answers.reply?.finishReason).toBe('completed');
    const asked = await walk([{ events: [shown] }], { taskId: TASK });
    expect(asked.error).toBeInstanceOf(A2AInputRequiredError);
  });

  test('C13: a connection that drops after the reply is resumed, and the old question is not asked again', async () => {
    const question = asks('Which?');
    const old = { task: theTask('TASK_STATE_INPUT_REQUIRED', { status: question.statusUpdate?.status }) };
    let count = 0;
    const { reply, peer } = await walk(
      [{ events: [BEGIN, question] }, { events: [], end: 'drop' }, { events: [old, status('TASK_STATE_WORKING'), DONE] }],
      {
        onInputRequired() {
          count += 1;
          return 'x';
        },
      },
    );
    expect(reply?.finishReason).toBe('completed');
    expect(count).toBe(1);
    expect(peer.methods).toEqual(['SendStreamingMessage', 'SendStreamingMessage', 'SubscribeToTask']);
  });

  test('C13: when no attempt is left and the old question is still open, the reply did not arrive, and the question is asked again', async () => {
    const question = asks('Which?');
    const shown = theTask('TASK_STATE_INPUT_REQUIRED', { status: question.statusUpdate?.status });
    const again: Step[] = Array.from({ length: 3 }, () => ({ events: [{ task: shown }], end: 'drop' }));
    let count = 0;
    const { reply } = await walk(
      [{ events: [BEGIN, question] }, { events: [], end: 'drop' }, ...again, { value: shown }, { events: [GO_ON(), DONE] }],
      {
        onInputRequired() {
          count += 1;
          return 'x';
        },
      },
    );
    expect(reply?.finishReason).toBe('completed');
    expect(count).toBe(2);
  });

  test('a custom key applies to the first message; each reply uses its own message id as key', async () => {
    const options = { idempotencyKey: 'mine', onInputRequired: () => 'yes' };
    const streamed = await walk([{ events: [BEGIN, asks('1?')] }, { events: [GO_ON(), asks('2?')] }, { events: [GO_ON(), DONE] }], options);
    const question = theTask('TASK_STATE_INPUT_REQUIRED', { said: says('1?') });
    const polled = await walk([{ value: { task: question } }, { value: { task: theTask('TASK_STATE_COMPLETED') } }], options, {
      streaming: false,
    });
    const keys = [streamed, polled].map(({ peer }) => peer.calls.map((call) => call.options.idempotencyKey));
    expect(keys).toEqual([
      ['mine', undefined, undefined],
      ['mine', undefined],
    ]);
  });

  test('a reply that may not have arrived is sent again to agents with idempotency keys', async () => {
    const { peer } = await walk(
      [{ events: [BEGIN, asks('Which?')] }, { events: [], end: 'drop' }, { events: [GO_ON(), DONE] }],
      { onInputRequired: () => 'x' },
      { log: true },
    );
    expect(peer.methods).toEqual(Array(3).fill('SendStreamingMessage'));
    expect(peer.calls[2]?.params).toEqual(peer.calls[1]?.params);
  });
});

describe('C10: authorizations', () => {
  const needs = status('TASK_STATE_AUTH_REQUIRED', 'Sign in', '2026-01-01T00:00:00.000Z');

  test('C10: when the handler returns nothing, the stream stays open and the task continues without a message', async () => {
    const { peer, reply, updates } = await walk(
      [{ events: [BEGIN, needs, status('TASK_STATE_WORKING'), chunk('in', { append: false }), DONE] }],
      { onAuthRequired: () => undefined },
    );
    expect(peer.methods).toEqual(['SendStreamingMessage']);
    expect(reply?.text).toBe('in');
    expect(updates.find(({ kind }) => kind === 'input')).toMatchObject({ want: 'auth', prompt: 'Sign in' });
  });

  test('C10: a value from the handler is sent to the task', async () => {
    const { peer, reply } = await walk([{ events: [BEGIN, needs], end: 'stall' }, { events: [GO_ON(), DONE] }], {
      onAuthRequired: async () => [{ data: { code: 1 } }],
    });
    expect(reply?.finishReason).toBe('completed');
    expect(sent(peer)[1]).toMatchObject({ taskId: TASK, contextId: CONTEXT, parts: [{ data: { code: 1 } }] });
  });

  test('C10: when the stream ends, the run subscribes again and waits, without asking again', async () => {
    let count = 0;
    const shown = { task: theTask('TASK_STATE_AUTH_REQUIRED', { status: needs.statusUpdate?.status }) };
    const { peer, reply } = await walk([{ events: [BEGIN, needs] }, { events: [shown, status('TASK_STATE_WORKING'), DONE] }], {
      onAuthRequired() {
        count += 1;
        return undefined;
      },
    });
    expect(reply?.finishReason).toBe('completed');
    expect(peer.methods).toEqual(['SendStreamingMessage', 'SubscribeToTask']);
    expect(count).toBe(1);
  });

  test('C10: when the streams of an agent do not stay open, the task is polled until its state changes', async () => {
    const shown = { task: theTask('TASK_STATE_AUTH_REQUIRED', { status: needs.statusUpdate?.status }) };
    const again: Step[] = Array.from({ length: 3 }, () => ({ events: [shown] }));
    const looks: Step[] = [shown, shown, shown].map(({ task: value }) => ({ value }));
    const { reply } = await walk([{ events: [BEGIN, needs] }, ...again, ...looks, { value: theTask('TASK_STATE_COMPLETED') }], {
      onAuthRequired: () => undefined,
    });
    expect(reply?.finishReason).toBe('completed');
  });

  test('C10: when the agent continues while the handler waits, the run follows, and the signal of the question aborts', async () => {
    const questions: Question[] = [];
    const never = (_: string, question: Question): Promise<undefined> => {
      questions.push(question);
      return new Promise(() => {});
    };
    const { reply, peer, updates } = await walk(
      [{ events: [BEGIN, needs, status('TASK_STATE_WORKING'), chunk('in', { append: false }), DONE] }],
      { onAuthRequired: never, inputRequiredTimeoutMs: 10_000_000 },
    );
    expect(reply?.text).toBe('in');
    expect(peer.methods).toEqual(['SendStreamingMessage']);
    expect(updates.map(({ kind }) => kind)).toEqual(['task', 'state', 'state', 'input', 'state', 'artifact', 'text', 'state']);
    expect(questions.map(({ signal }) => signal.reason.message)).toEqual(['the agent no longer waits for a reply']);
  });

  test('C10: the same applies after a dropped connection and with polling', async () => {
    const shown = theTask('TASK_STATE_AUTH_REQUIRED', { status: needs.statusUpdate?.status });
    const done: Step = { value: theTask('TASK_STATE_COMPLETED', { artifacts: [artifact('in')] }) };
    let count = 0;
    const onAuthRequired = (): Promise<undefined> => {
      count += 1;
      return new Promise(() => {});
    };
    const back: Step = { events: [{ task: shown }, status('TASK_STATE_WORKING'), chunk('in', { append: false }), DONE] };
    const streamed = await walk([{ events: [BEGIN, needs], end: 'drop' }, back], { onAuthRequired });
    const polled = await walk([{ value: { task: shown } }, { value: shown }, done], { onAuthRequired }, { streaming: false });
    expect([streamed.reply?.text, polled.reply?.text]).toEqual(['in', 'in']);
    expect(count).toBe(2);
  });

  test('C10: a late reply is sent whatever the run does at that time', async () => {
    const shown = theTask('TASK_STATE_AUTH_REQUIRED', { status: needs.statusUpdate?.status });
    const gone: Step = { error: new A2ATransportError('network', 'refused', { sent: false }) };
    const places: Step[][] = [
      [{ events: [BEGIN, needs], end: 'stall' }],
      [{ events: [BEGIN, needs], end: 'drop' }, 'silence'],
      [
        { events: [BEGIN, needs], end: 'drop' },
        { events: [{ task: shown }], end: 'stall' },
      ],
      [{ events: [BEGIN, needs], end: 'drop' }, gone, gone, gone, { value: shown }, ...Array(200).fill({ value: shown }), 'silence'],
      [{ events: [BEGIN, needs], end: 'drop' }, gone, gone, gone, gone],
    ];
    for (const place of places) {
      const clock = manualClock();
      const answer = (): Promise<string> => new Promise((resolve) => clock.after(100_000, () => resolve('a code')));
      let isAnswered = false;
      const script = Array.from(
        { length: 220 },
        (_, index): Step =>
          (call) => {
            if (call.method === 'SendStreamingMessage' && index > 0) isAnswered = true;
            const step = isAnswered ? { events: [GO_ON(), DONE] } : (place[index] ?? 'silence');
            if (typeof step === 'function') throw new Error('steps must not be functions');
            return step;
          },
      );
      const { peer, reply } = await walk(script, { onAuthRequired: answer }, { clock });
      expect(reply?.finishReason).toBe('completed');
      expect(sent(peer).at(-1)).toMatchObject({ taskId: TASK, parts: [{ text: 'a code' }] });
    }
  });

  test('C10: a timeout, detach and cancel end the question', async () => {
    const signals: AbortSignal[] = [];
    const onAuthRequired = (_: string, { signal }: Question): Promise<undefined> => {
      signals.push(signal);
      return new Promise(() => {});
    };
    const late = await walk([{ events: [BEGIN, needs], end: 'stall' }], { onAuthRequired, inputRequiredTimeoutMs: 1_000 });
    expect(late.error).toBeInstanceOf(A2AInputTimeoutError);
    for (const end of ['detach', 'cancel'] as const) {
      const peer = scriptedPeer([{ events: [BEGIN, needs], end: 'stall' }, { value: theTask('TASK_STATE_CANCELED') }]);
      const run = createRun(peer, 'Hi', { onAuthRequired });
      const result = run.result.catch((error: A2AError) => error.reason);
      await peer.clock.tick(1);
      await run[end]();
      await peer.clock.tick(10_000);
      expect(await result).toBe('ABORTED');
      expect([peer.openStreams, peer.clock.pending]).toEqual([0, 0]);
    }
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
  });

  test('C10: without a handler the error has resume(), which emits only new content', async () => {
    const peer = scriptedPeer([
      { events: [BEGIN, chunk('a', { append: false }), needs], end: 'stall' },
      {
        events: [
          {
            task: {
              ...theTask('TASK_STATE_AUTH_REQUIRED', { artifacts: [artifact('a')] }),
              status: needs.statusUpdate?.status ?? { state: 'TASK_STATE_WORKING' },
            },
          },
          status('TASK_STATE_WORKING'),
          chunk('b'),
          DONE,
        ],
      },
    ]);
    const { error } = await walkOver(peer, createRun(peer, 'Hi'));
    expect(error).toBeInstanceOf(A2ATaskAuthRequiredError);
    expect(error).toMatchObject({ reason: 'AUTH_REQUIRED', task: { artifacts: [artifact('a')] } });
    const resumed = (error as A2ATaskAuthRequiredError<ReturnType<typeof createRun>>).resume();
    expect(resumed.taskId).toBe(TASK);
    const { reply, updates } = await walkOver(peer, resumed);
    expect(peer.methods).toEqual(['SendStreamingMessage', 'SubscribeToTask']);
    expect(deltas(updates)).toEqual(['b']);
    expect(reply?.text).toBe('ab');
  });

  test('C10: a handler error that looks like a dropped connection does not cause a reconnect', async () => {
    const mine = new A2AError('AGENT_UNAVAILABLE', 'my login server is down');
    const { error, peer } = await walk([{ events: [BEGIN, needs], end: 'stall' }], {
      onAuthRequired() {
        throw mine;
      },
    });
    expect(error).toBe(mine);
    expect(peer.methods).toEqual(['SendStreamingMessage']);
  });
});

describe('client tools', () => {
  const card = { capabilities: { streaming: true, extensions: [{ uri: CLIENT_TOOLS_URI }] } };
  const add = {
    name: 'add',
    description: 'Adds',
    parameters: { type: 'object' },
    execute: ({ a, b }: Record<string, unknown>) => Number(a) + Number(b),
  };
  const call = toCallArtifact({ id: 'call-1', name: 'add', arguments: '{"a":1,"b":2}' });
  const calls: StreamResponse = { artifactUpdate: { taskId: TASK, contextId: CONTEXT, artifact: call } };

  test('G34: a wait for tools gets their results, and a wait for the user calls onInputRequired', async () => {
    const { peer, reply, updates } = await walk(
      [
        { events: [BEGIN, calls, asks('')] },
        { events: [GO_ON(), asks('And you?')] },
        { events: [GO_ON(), chunk('3', { append: false }), DONE] },
      ],
      { tools: [add], onInputRequired: () => 'me' },
      { card },
    );
    expect(reply?.text).toBe('3');
    expect(updates.flatMap((update) => (update.kind === 'input' ? [update.want] : []))).toEqual(['tools', 'input']);
    const [first, results, answer] = peer.calls.map(({ params }) => params.message);
    expect(first.extensions).toEqual([CLIENT_TOOLS_URI]);
    expect(toolResults(results)).toMatchObject([{ id: 'call-1', content: '3' }]);
    expect(results).toMatchObject({ taskId: TASK, extensions: [CLIENT_TOOLS_URI] });
    expect(answer.parts[0]).toEqual({ text: 'me' });
    expect(peer.calls.every(({ options }) => options.extensions?.includes(CLIENT_TOOLS_URI))).toBe(true);
  });

  test('G32: tools for an agent without the client-tools extension are refused before a request is sent', async () => {
    const { error, peer } = await walk([], { tools: [add] });
    expect(error).toMatchObject({ name: 'A2AClientToolsNotSupportedError' });
    expect(peer.calls).toEqual([]);
  });

  test('detach aborts running tools', async () => {
    const signals: AbortSignal[] = [];
    const slow = {
      ...add,
      execute(_: unknown, { signal }: { signal: AbortSignal }) {
        signals.push(signal);
        return new Promise(() => {});
      },
    };
    const peer = scriptedPeer([{ events: [BEGIN, calls, asks('')] }], { card });
    const run = createRun(peer, 'Hi', { tools: [slow] });
    const told = collect(run);
    await peer.clock.tick();
    run.detach();
    await told;
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(getEventListeners(signals[0] ?? new AbortController().signal, 'abort')).toHaveLength(0);
  });
});

describe('watch', () => {
  test('D37: a watch emits the existing content as recovered, then all events of all turns, and does not answer questions', async () => {
    const peer = scriptedPeer([
      {
        events: [
          task('TASK_STATE_WORKING', { artifacts: [artifact('a')] }),
          asks('Which?'),
          status('TASK_STATE_WORKING'),
          chunk('b'),
          DONE,
        ],
      },
    ]);
    const { reply, updates } = await walkOver(peer, createWatch(peer, TASK));
    expect(peer.methods).toEqual(['SubscribeToTask']);
    expect(updates.map(({ kind, recovered }) => `${kind}${recovered ? ' recovered' : ''}`)).toEqual([
      'task recovered',
      'artifact recovered',
      'text recovered',
      'state recovered',
      'state',
      'state',
      'artifact',
      'text',
      'state',
    ]);
    expect(reply?.text).toBe('ab');
  });

  test('D37: a watch with a handler answers questions', async () => {
    const peer = scriptedPeer([{ events: [BEGIN, asks('Which?')], end: 'stall' }, { events: [GO_ON(), DONE] }]);
    const { reply } = await walkOver(peer, createWatch(peer, TASK, { onInputRequired: () => 'this' }));
    expect(reply?.finishReason).toBe('completed');
    expect(sent(peer)[1]).toMatchObject({ taskId: TASK, parts: [{ text: 'this' }] });
  });

  test('D4: with after, a watch requests only later events; the result has the whole task', async () => {
    const whole = theTask('TASK_STATE_COMPLETED', { artifacts: [artifact('a', 'b')] });
    const events = [
      { seq: 9, response: chunk('b') },
      { seq: 10, response: DONE },
    ];
    const peer = scriptedPeer([{ events }, { value: whole }], { log: true });
    const { reply, updates } = await walkOver(peer, createWatch(peer, TASK, { after: 7 }));
    expect(peer.calls[0]?.options.lastEventId).toBe(7);
    expect(deltas(updates)).toEqual(['b']);
    expect(updates.map(({ seq }) => seq)).toEqual([9, 9, 10]);
    expect(reply).toMatchObject({ task: whole, text: 'ab' });
  });

  test('D4: with the last seq of an ended task, a watch emits nothing, and the result is the task', async () => {
    const whole = theTask('TASK_STATE_COMPLETED', { artifacts: [artifact('a', 'b')] });
    const peer = scriptedPeer([{ events: [] }, { value: whole }], { log: true });
    const { reply, updates } = await walkOver(peer, createWatch(peer, TASK, { after: 7 }));
    expect(updates).toEqual([]);
    expect(reply).toMatchObject({ task: whole, text: 'ab' });
  });

  test('G30: a watch of an ended task returns it', async () => {
    const over = theTask('TASK_STATE_COMPLETED', { artifacts: [artifact('a')] });
    const peer = scriptedPeer([{ error: new A2AError('UNSUPPORTED_OPERATION', 'over') }, { value: over }]);
    const { reply, updates } = await walkOver(peer, createWatch(peer, TASK));
    expect(reply).toMatchObject({ task: over });
    expect(deltas(updates)).toEqual(['a']);
  });

  test('a watch of a missing task or an unavailable agent rejects with that error', async () => {
    const gone = new A2AError('TASK_NOT_FOUND', 'no task');
    const peer = scriptedPeer([{ error: gone }, { error: gone }]);
    expect((await walkOver(peer, createWatch(peer, 'no'))).error).toBe(gone);
    const down = new A2AError('AGENT_UNAVAILABLE', 'down');
    const other = scriptedPeer([{ error: down }]);
    expect((await walkOver(other, createWatch(other, 'no'))).error).toBe(down);
  });

  test('a watch whose streams only show the open question ends with that question', async () => {
    const shown: Step = { events: [task('TASK_STATE_INPUT_REQUIRED', { said: says('Which?') })] };
    const peer = scriptedPeer([shown, shown, shown, shown, { value: theTask('TASK_STATE_INPUT_REQUIRED', { said: says('Which?') }) }]);
    expect((await walkOver(peer, createWatch(peer, TASK))).error).toBeInstanceOf(A2AInputRequiredError);
  });

  test('a watch with invalid arguments throws at once', () => {
    expect(() => createWatch(scriptedPeer([]), '')).toThrow('watch needs the id of a task');
    expect(() => createWatch(scriptedPeer([]), 't', { after: -1 })).toThrow(
      'after must be the number of an event (a whole number >= 0), got -1',
    );
  });
});
