/** Agents without streaming, or that refuse it: the run polls the task until it stops. */
import { describe, expect, test } from 'vitest';
import { createRun, createWatch } from '../../src/client/run/create-run.js';
import { A2AError, A2ATransportError } from '../../src/protocol/errors.js';
import { deltas, walk, walkOver } from './run-walk.js';
import { artifact, collect, type Step, says, scriptedPeer, status, TASK, task, theTask } from './scripted-peer.js';

const noStreams = { streaming: false };
const began: Step = { value: { task: theTask('TASK_STATE_SUBMITTED') } };
const at = (...texts: string[]): Step => ({ value: theTask('TASK_STATE_WORKING', { artifacts: [artifact(...texts)] }) });
const over = (...texts: string[]): Step => ({ value: theTask('TASK_STATE_COMPLETED', { artifacts: [artifact(...texts)] }) });

test('G2: without streaming in the card, the message is sent once and the task is polled until it stops', async () => {
  const { peer, reply, updates } = await walk([began, at('a'), at('a', 'b'), over('a', 'b', 'c')], {}, noStreams);
  expect(peer.methods).toEqual(['SendMessage', 'GetTask', 'GetTask', 'GetTask']);
  expect(peer.calls[0]?.params.configuration).toEqual({ returnImmediately: true });
  expect(reply?.text).toBe('abc');
  expect(updates.map(({ kind }) => kind)).toEqual([
    'task',
    'state',
    'artifact',
    'text',
    'state',
    'artifact',
    'text',
    'artifact',
    'text',
    'state',
  ]);
  expect(updates.some(({ recovered }) => recovered)).toBe(false);
});

test('G2: the polling interval is 500 ms or pollingIntervalMs', async () => {
  for (const [options, everyMs] of [
    [{}, 500],
    [{ pollingIntervalMs: 2_000 }, 2_000],
  ] as const) {
    const peer = scriptedPeer([began, at('a'), over('a')], noStreams);
    const told = collect(createRun(peer, 'Hi', options));
    await peer.clock.tick(everyMs - 1);
    expect(peer.calls).toHaveLength(1);
    await peer.clock.tick(1);
    expect(peer.calls).toHaveLength(2);
    await peer.clock.tick(everyMs);
    await told;
  }
});

test('G2: the mode option overrides the card', async () => {
  const polled = await walk([began, over('a')], { mode: 'poll' });
  expect(polled.peer.methods).toEqual(['SendMessage', 'GetTask']);
  const streamed = await walk([{ events: [task('TASK_STATE_COMPLETED')] }], { mode: 'stream' }, noStreams);
  expect(streamed.peer.methods).toEqual(['SendStreamingMessage']);
});

test('7.1.4: an artifact that grows between two polls is emitted piece by piece and never truncated', async () => {
  const grown: Step = { value: theTask('TASK_STATE_WORKING', { artifacts: [artifact('Hello wor')] }) };
  const { updates, reply } = await walk([began, at('Hel'), at('Hel'), grown, over('Hello world')], {}, noStreams);
  expect(deltas(updates)).toEqual(['Hel', 'lo wor', 'ld']);
  expect(reply?.text).toBe('Hello world');
});

describe('C11: the streaming capability in the card', () => {
  test('C11: a missing capability means no streaming', async () => {
    const { peer } = await walk([began, over('a')], {}, { card: { capabilities: {} } });
    expect(peer.methods).toEqual(['SendMessage', 'GetTask']);
  });

  test('C11: assumeStreaming tries a stream, and the run polls when it is refused', async () => {
    for (const refusal of [
      { error: new A2AError('UNSUPPORTED_OPERATION', 'no') },
      { events: [], end: new A2AError('UNSUPPORTED_OPERATION', 'no') },
    ]) {
      const { peer, reply } = await walk(
        [refusal, began, over('a')],
        {},
        { card: { capabilities: {} }, settings: { assumeStreaming: true } },
      );
      expect(peer.methods).toEqual(['SendStreamingMessage', 'SendMessage', 'GetTask']);
      expect(peer.calls[1]?.params.message).toEqual(peer.calls[0]?.params.message);
      expect(reply?.text).toBe('a');
    }
  });

  test('C11: streaming that is declared but refused is not tried again for the next message', async () => {
    const asks: Step = { value: theTask('TASK_STATE_INPUT_REQUIRED', { said: says('?') }) };
    const { peer } = await walk([{ error: new A2AError('UNSUPPORTED_OPERATION', 'no') }, began, asks, began, over('a')], {
      onInputRequired: () => 'x',
    });
    expect(peer.methods).toEqual(['SendStreamingMessage', 'SendMessage', 'GetTask', 'SendMessage', 'GetTask']);
  });

  test('C11: mode: stream rejects with the refusal instead of polling', async () => {
    const refused = new A2AError('UNSUPPORTED_OPERATION', 'no');
    expect((await walk([{ error: refused }], { mode: 'stream' })).error).toBe(refused);
  });
});

test('G1: several messages on one task give the same answer as with streams', async () => {
  const asks: Step = { value: theTask('TASK_STATE_INPUT_REQUIRED', { said: says('Sure?'), artifacts: [artifact('partial-')] }) };
  const done: Step = { value: theTask('TASK_STATE_COMPLETED', { said: says('final-yes'), artifacts: [artifact('partial-')] }) };
  const goesOn: Step = { value: { task: theTask('TASK_STATE_WORKING', { artifacts: [artifact('partial-')] }) } };
  const { peer, reply, updates } = await walk([began, asks, goesOn, done], { onInputRequired: () => 'yes' }, noStreams);
  expect(reply?.text).toBe('partial-final-yes');
  expect(deltas(updates).join('')).toBe('partial-final-yes');
  expect(peer.calls[2]?.params.message).toMatchObject({ taskId: TASK, parts: [{ text: 'yes' }] });
});

test('a question that is still shown after its reply is not asked again', async () => {
  const question = { state: 'TASK_STATE_INPUT_REQUIRED', timestamp: '2026-01-01T00:00:00.000Z' } as const;
  let count = 0;
  const onInputRequired = (): string => {
    count += 1;
    return 'x';
  };
  const shown = theTask(question.state, { status: question });
  const { reply } = await walk(
    [began, { value: shown }, { value: { task: shown } }, { value: shown }, over('a')],
    { onInputRequired },
    noStreams,
  );
  expect(reply?.text).toBe('a');
  expect(count).toBe(1);
});

test('C13: a run on an existing task takes the question in the first response for the old one, unless the next poll shows it too', async () => {
  const question = theTask('TASK_STATE_INPUT_REQUIRED', { said: says('Which?') });
  for (const [next, answers] of [
    [theTask('TASK_STATE_WORKING'), 0],
    [question, 1],
  ] as const) {
    const asked: string[] = [];
    const onInputRequired = (prompt: string): string => {
      asked.push(prompt);
      return 'this one';
    };
    const steps: Step[] = [{ value: { task: question } }, { value: next }];
    const reply: Step = { value: { task: theTask('TASK_STATE_WORKING') } };
    const { peer, reply: end } = await walk(
      [...steps, ...(answers === 1 ? [reply] : []), over('a')],
      { taskId: TASK, onInputRequired },
      noStreams,
    );
    expect(end?.text).toBe('a');
    expect(asked).toEqual(Array(answers).fill('Which?'));
    expect(peer.methods.filter((method) => method === 'SendMessage')).toHaveLength(1 + answers);
  }
});

test('a Message, or a task that has already ended, needs no poll', async () => {
  const message = says('Hello');
  expect((await walk([{ value: { message } }], {}, noStreams)).reply).toMatchObject({ kind: 'message', message });
  const { peer, updates } = await walk(
    [{ value: { task: theTask('TASK_STATE_COMPLETED', { artifacts: [artifact('a')] }) } }],
    {},
    noStreams,
  );
  expect(peer.methods).toEqual(['SendMessage']);
  expect(deltas(updates)).toEqual(['a']);
});

test('an empty response is an error', async () => {
  const { error } = await walk([{ value: {} }], {}, noStreams);
  expect(error).toMatchObject({ reason: 'INVALID_AGENT_RESPONSE' });
});

test('C10: an authorization is awaited by polling', async () => {
  const needs: Step = { value: theTask('TASK_STATE_AUTH_REQUIRED', { said: says('Sign in') }) };
  const shown = 'value' in needs ? needs : began;
  const { reply } = await walk([began, needs, shown, over('a')], { onAuthRequired: () => undefined }, noStreams);
  expect(reply?.text).toBe('a');
});

describe('a poll that fails', () => {
  const down: Step = { error: new A2ATransportError('network', 'down', { sent: true }) };

  test('D34: is repeated as often as a stream', async () => {
    const { reply, updates } = await walk([began, down, down, down, at('a'), down, over('a')], {}, noStreams);
    expect(reply?.text).toBe('a');
    expect(updates.flatMap((update) => (update.kind === 'reconnect' ? [update.attempt] : []))).toEqual([1, 2, 3, 1]);
  });

  test('D34: ends the run when no attempt is left', async () => {
    const { error } = await walk([began, down, down, down, down], {}, noStreams);
    expect(error).toMatchObject({ name: 'A2AReconnectError', attempts: 3, taskId: TASK });
  });

  test('with an error of the agent ends the run with that error', async () => {
    const gone = new A2AError('TASK_NOT_FOUND', 'gone');
    expect((await walk([began, { error: gone }], {}, noStreams)).error).toBe(gone);
    expect((await walk([{ error: gone }], {}, noStreams)).error).toBe(gone);
  });
});

test('a watch of an agent without streaming polls too', async () => {
  const peer = scriptedPeer([at('a'), over('a', 'b')], noStreams);
  const { updates, reply } = await walkOver(peer, createWatch(peer, TASK));
  expect(updates.map(({ kind, recovered }) => `${kind} ${recovered ?? ''}`)).toContain('artifact true');
  expect(deltas(updates)).toEqual(['a', 'b']);
  expect(reply?.finishReason).toBe('completed');
});

test('G10: historyLength is sent with the message and with every poll', async () => {
  const { peer } = await walk([began, over('a')], { historyLength: 2 }, noStreams);
  expect(peer.calls[0]?.params.configuration).toEqual({ returnImmediately: true, historyLength: 2 });
  expect(peer.calls[1]?.params).toEqual({ id: TASK, historyLength: 2 });
});

test('messages of the agent between two polls are emitted', async () => {
  const [first, second] = [says('1'), says('2')];
  const looks: Step[] = [
    { value: theTask('TASK_STATE_WORKING', { said: first }) },
    { value: theTask('TASK_STATE_COMPLETED', { history: [first, second] }) },
  ];
  const { updates } = await walk([began, ...looks], {}, noStreams);
  expect(updates.flatMap((update) => (update.kind === 'message' ? [update.message] : []))).toEqual([second]);
  expect(updates.at(-1)).toMatchObject({ state: 'TASK_STATE_COMPLETED', ...status('TASK_STATE_COMPLETED').message });
});
