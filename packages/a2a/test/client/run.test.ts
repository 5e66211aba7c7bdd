/** A run with an agent that follows the protocol: its updates, their order, and its result. */
import { describe, expect, test } from 'vitest';
import type { Run } from '../../src/client/client.js';
import { openConversation } from '../../src/client/client-conversation.js';
import { createRun, createWatch } from '../../src/client/run/create-run.js';
import type { Update } from '../../src/client/run/update.js';
import { A2AError, A2ATaskTerminalError, isTerminalError } from '../../src/protocol/errors.js';
import { FAILURE_KEY } from '../../src/protocol/failure-key.js';
import type { StreamResponse, TaskState } from '../../src/protocol/types.js';
import { artifact, CONTEXT, chunk, collect, numbered, says, scriptedPeer, status, TASK, task, theTask } from './scripted-peer.js';

const HELLO = [
  task('TASK_STATE_SUBMITTED'),
  status('TASK_STATE_WORKING', 'thinking'),
  chunk('Hello ', { append: false }),
  chunk('world', { last: true }),
  status('TASK_STATE_COMPLETED'),
];

const deltas = (updates: readonly Update[]): string[] => updates.flatMap((update) => (update.kind === 'text' ? [update.delta] : []));

describe('updates', () => {
  test('D37: one update per event content, in order, each with its seq and the task at that time', async () => {
    const peer = scriptedPeer([{ events: numbered(HELLO) }], { log: true });
    const updates = await collect(createRun(peer, 'Hi'));
    expect(updates.map(({ kind, seq }) => `${kind} ${seq}`)).toEqual([
      'task 2',
      'state 2',
      'state 3',
      'artifact 4',
      'text 4',
      'artifact 5',
      'text 5',
      'state 6',
    ]);
    expect(updates[3]).toMatchObject({ append: false, last: false, parts: [{ text: 'Hello ' }], artifact: artifact('Hello ') });
    expect(updates[5]).toMatchObject({ append: true, last: true, parts: [{ text: 'world' }], artifact: artifact('Hello world') });
    expect(updates[6]).toMatchObject({ delta: 'world', text: 'Hello world', artifactId: 'answer' });
    expect(updates.map((update) => update.task?.status.state)).toEqual([
      ...Array(2).fill('TASK_STATE_SUBMITTED'),
      ...Array(5).fill('TASK_STATE_WORKING'),
      'TASK_STATE_COMPLETED',
    ]);
    expect(updates[4]?.task?.artifacts).toEqual([artifact('Hello ')]);
  });

  test('G5: artifacts and state of a Task are emitted, also when the Task is the only event', async () => {
    const peer = scriptedPeer([{ events: [task('TASK_STATE_COMPLETED', { artifacts: [artifact('all ', 'at once')] })] }]);
    const run = createRun(peer, 'Hi');
    const updates = await collect(run);
    expect(updates.map(({ kind }) => kind)).toEqual(['task', 'artifact', 'text', 'state']);
    expect(updates.some(({ recovered }) => recovered)).toBe(false);
    expect(await run.result).toMatchObject({ kind: 'task', text: 'all at once', finishReason: 'completed', taskId: TASK });
  });

  test('a Message without a task is the only update and ends the run', async () => {
    const message = says('Hello', { contextId: 'c-9' });
    const peer = scriptedPeer([{ events: [{ message }], end: 'stall' }]);
    const run = createRun(peer, 'Hi');
    expect((await collect(run)).map(({ kind }) => kind)).toEqual(['message', 'text']);
    expect(await run.result).toEqual({
      kind: 'message',
      message,
      text: 'Hello',
      artifacts: [],
      contextId: 'c-9',
      finishReason: 'completed',
    });
    expect(peer.openStreams).toBe(0);
  });

  test('7.3.6: a message of another task is ignored; a message of this task, or without a task, is emitted', async () => {
    const messages = ['other', TASK, undefined, ''].map((taskId) => ({
      message: says(`${taskId}.`, taskId === undefined ? {} : { taskId }),
    }));
    const peer = scriptedPeer([{ events: [task('TASK_STATE_WORKING'), ...messages, status('TASK_STATE_COMPLETED')] }]);
    expect(await createRun(peer, 'Hi').result).toMatchObject({ text: `${TASK}.\n\nundefined.\n\n.` });
  });

  test('7.3.6: events of another task are ignored', async () => {
    const foreign: StreamResponse = { artifactUpdate: { taskId: 'other', contextId: CONTEXT, artifact: artifact('not ours') } };
    const peer = scriptedPeer([
      { events: [HELLO[0] ?? {}, foreign, { task: { ...theTask('TASK_STATE_FAILED'), id: 'other' } }, ...HELLO.slice(1)] },
    ]);
    expect((await createRun(peer, 'Hi').result).text).toBe('Hello world');
  });

  test('a stream that starts with an update instead of the Task is followed, and the task is read at the end', async () => {
    const whole = theTask('TASK_STATE_COMPLETED', { artifacts: [{ artifactId: 'old', parts: [{ text: 'old ' }] }, artifact('new')] });
    const peer = scriptedPeer([
      { events: [status('TASK_STATE_WORKING'), chunk('new', { append: true }), status('TASK_STATE_COMPLETED')] },
      { value: whole },
    ]);
    const run = createRun(peer, 'Hi', { taskId: TASK });
    expect(deltas(await collect(run))).toEqual(['new']);
    expect(await run.result).toMatchObject({ task: whole, text: 'old \n\nnew' });
  });

  test('G14: onEvent receives every event of the stream, and an error it throws does not stop the run', async () => {
    const peer = scriptedPeer([{ events: numbered(HELLO) }], { log: true });
    const seen: unknown[] = [];
    const run = createRun(peer, 'Hi', {
      onEvent(event) {
        seen.push(event);
        throw new Error('mine');
      },
    });
    expect((await run.result).text).toBe('Hello world');
    expect(seen).toEqual(numbered(HELLO));
    expect(peer.errors).toHaveLength(5);
    expect(peer.errors[0]).toMatchObject({ reason: 'INTERNAL_ERROR', message: 'onEvent failed', cause: new Error('mine') });
  });
});

describe('the answer', () => {
  const textOf = async (events: readonly StreamResponse[]): Promise<string[]> => {
    const run = createRun(scriptedPeer([{ events }]), 'Hi');
    const told = deltas(await collect(run)).join('');
    return [(await run.result).text, told];
  };

  test('G6: artifacts, messages and the final status text form the text; a final status that repeats it is left out', async () => {
    const begin = [task('TASK_STATE_WORKING'), chunk('a', { append: false }), chunk('b')];
    expect(await textOf([...begin, status('TASK_STATE_COMPLETED', 'ab')])).toEqual(['ab', 'ab']);
    expect(await textOf([...begin, status('TASK_STATE_COMPLETED', ' ab\n')])).toEqual(['ab', 'ab']);
    expect(await textOf([...begin, status('TASK_STATE_COMPLETED', 'c')])).toEqual(['abc', 'abc']);
    expect(await textOf([...begin, { message: says('m') }, status('TASK_STATE_COMPLETED', 'c')])).toEqual(['abmc', 'abmc']);
    expect(await textOf([...begin, { message: says('m') }, status('TASK_STATE_COMPLETED', 'ab')])).toEqual(['abm', 'abm']);
  });

  test('G6: status texts while the agent works are progress and not part of the answer', async () => {
    const [text] = await textOf([task('TASK_STATE_WORKING'), status('TASK_STATE_WORKING', 'soon'), status('TASK_STATE_COMPLETED', 'done')]);
    expect(text).toBe('done');
  });

  test('text updates have append: false when their artifact starts or restarts, so a reader can rebuild the text', async () => {
    const steps = [
      task('TASK_STATE_WORKING'),
      chunk('Hel', { append: false }),
      chunk('lo'),
      chunk('', { append: false }), // the executor was restarted and has no text yet
      chunk('Good'),
      chunk('Good day', { append: false }),
      { message: says(', you') },
      { message: says(' all', { messageId: 'm-2' }) },
      status('TASK_STATE_COMPLETED'),
    ];
    const updates = await collect(createRun(scriptedPeer([{ events: steps }]), 'Hi'));
    const texts = updates.flatMap((update) => (update.kind === 'text' ? [update] : []));
    expect(texts.map(({ delta, append, text }) => [delta, append, text])).toEqual([
      ['Hel', false, 'Hel'],
      ['lo', true, 'Hello'],
      ['', false, ''],
      ['Good', true, 'Good'],
      ['Good day', false, 'Good day'],
      [', you', false, 'Good day, you'],
      [' all', true, 'Good day, you all'],
    ]);
  });

  test('text from a snapshot has append: false too; with after, an artifact that had started before has append: true', async () => {
    const known = task('TASK_STATE_WORKING', { artifacts: [artifact('old')] });
    const other = task('TASK_STATE_COMPLETED', { artifacts: [artifact('new')] });
    const appends = async (run: Run) => (await collect(run)).flatMap((update) => (update.kind === 'text' ? [update.append] : []));
    const peer = scriptedPeer([{ events: [known] }, { events: [other] }]);
    const reading = appends(createRun(peer, 'Hi'));
    await peer.clock.tick(1_000);
    expect(await reading).toEqual([false, false]);
    const behind = numbered([chunk('c'), chunk('d', { append: false }), status('TASK_STATE_COMPLETED')], 5);
    const watched = scriptedPeer([{ events: behind }, { value: theTask('TASK_STATE_COMPLETED') }], { log: true });
    expect(await appends(createWatch(watched, TASK, { after: 4 }))).toEqual([true, false]);
  });

  test('an artifact that restarts counts with its final content', async () => {
    const [text] = await textOf([
      task('TASK_STATE_WORKING'),
      chunk('wrong', { append: false }),
      chunk('right', { append: false }),
      status('TASK_STATE_COMPLETED'),
    ]);
    expect(text).toBe('right');
  });
});

describe('the end of a run', () => {
  const endOf = (state: TaskState, more: Parameters<typeof createRun>[2] = {}, said?: Parameters<typeof status>[1]) => {
    const peer = scriptedPeer([{ events: [task('TASK_STATE_WORKING'), chunk('half', { append: false }), status(state, said)] }]);
    return createRun(peer, 'Hi', more).result;
  };

  for (const [state, name] of [
    ['TASK_STATE_FAILED', 'A2ATaskFailedError'],
    ['TASK_STATE_REJECTED', 'A2ATaskRejectedError'],
    ['TASK_STATE_CANCELED', 'A2ATaskCanceledError'],
    ['TASK_STATE_AUTH_REQUIRED', 'A2ATaskAuthRequiredError'],
  ] as const) {
    test(`G7: ${state} is an ${name}`, async () => {
      const error = await endOf(state).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(A2ATaskTerminalError);
      expect(error).toMatchObject({ name, state });
      expect(isTerminalError(error)).toBe(true);
    });
  }

  test('G8: the error has the whole task, built from all events', async () => {
    const error = await endOf('TASK_STATE_FAILED', {}, 'no luck').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      message: 'no luck',
      reason: 'INTERNAL_ERROR',
      task: { id: TASK, contextId: CONTEXT, status: { state: 'TASK_STATE_FAILED' }, artifacts: [artifact('half')] },
    });
  });

  test('D36: a failed task gives the error its reason, retry hint and message, from the last message of the task', async () => {
    const said = says('Try later', {
      metadata: { [FAILURE_KEY]: { reason: 'RATE_LIMITED', code: -31004, retryable: true, retryAfterMs: 1500, why: 'quota' } },
    });
    await expect(endOf('TASK_STATE_FAILED', {}, said)).rejects.toMatchObject({
      name: 'A2ATaskFailedError',
      message: 'Try later',
      reason: 'RATE_LIMITED',
      retryable: true,
      retryAfterMs: 1500,
      metadata: { why: 'quota' },
    });
  });

  test('D36: the error also has the chain of agents that the failure came through', async () => {
    const hop = {
      currentAgent: 'B',
      downstreamAgent: 'C',
      downstreamError: { code: -31004, reason: 'RATE_LIMITED', message: 'slow down' },
      retryable: true,
    };
    const said = says('No', { metadata: { [FAILURE_KEY]: { reason: 'INTERNAL_ERROR', code: -1, chain: [hop] } } });
    await expect(endOf('TASK_STATE_FAILED', {}, said)).rejects.toMatchObject({ chain: [hop], code: -1, reason: 'INTERNAL_ERROR' });
  });

  test('D28: every error that a run creates names the agent', async () => {
    const controller = new AbortController();
    const left = scriptedPeer([{ events: [task('TASK_STATE_WORKING')], end: 'stall' }]);
    const aborted = createRun(left, 'Hi', { signal: controller.signal });
    const detached = createRun(scriptedPeer([{ events: [task('TASK_STATE_WORKING')], end: 'stall' }]), 'Hi');
    const results = [aborted.result, detached.result];
    await left.clock.tick();
    controller.abort();
    detached.detach();
    const slow = scriptedPeer([{ events: [task('TASK_STATE_WORKING'), status('TASK_STATE_INPUT_REQUIRED', 'Where?')] }]);
    results.push(createRun(slow, 'Hi', { onInputRequired: () => new Promise(() => {}), inputRequiredTimeoutMs: 5 }).result);
    const broken = createRun(scriptedPeer([{ events: [] }]), 'Hi').result;
    const lost = scriptedPeer([{ events: [task('TASK_STATE_WORKING')] }, { value: theTask('TASK_STATE_WORKING') }]);
    results.push(broken, createRun(lost, 'Hi', { reconnect: { maxRetries: 0 } }).result);
    for (const state of ['FAILED', 'REJECTED', 'CANCELED', 'INPUT_REQUIRED', 'AUTH_REQUIRED'] as const)
      results.push(endOf(`TASK_STATE_${state}`));
    const ended = Promise.allSettled(results);
    await slow.clock.tick(5);
    const errors = (await ended).map((one) => (one.status === 'rejected' ? one.reason : expect.fail('expected an error')));
    expect(errors.map(({ name, peer }) => [name, peer])).toEqual(
      ['A2AError', 'A2AError', 'A2AInputTimeoutError', 'A2AReconnectError', 'A2AReconnectError']
        .concat(['A2ATaskFailedError', 'A2ATaskRejectedError', 'A2ATaskCanceledError', 'A2AInputRequiredError', 'A2ATaskAuthRequiredError'])
        .map((name) => [name, 'Scripted']),
    );
  });

  test('D36: invalid failure metadata is ignored', async () => {
    for (const odd of [null, 'x', [], { reason: 'toString', retryable: 'yes', retryAfterMs: -1, why: 1 }]) {
      const said = says('', { metadata: { [FAILURE_KEY]: odd } });
      await expect(endOf('TASK_STATE_FAILED', {}, said)).rejects.toMatchObject({
        message: `Task ${TASK} failed`,
        reason: 'INTERNAL_ERROR',
        retryable: false,
        retryAfterMs: undefined,
      });
    }
  });

  test('G9: the result has a finishReason; with throwOn: never also for other states than completed', async () => {
    expect((await endOf('TASK_STATE_COMPLETED')).finishReason).toBe('completed');
    for (const [state, finishReason] of [
      ['TASK_STATE_FAILED', 'failed'],
      ['TASK_STATE_REJECTED', 'rejected'],
      ['TASK_STATE_CANCELED', 'canceled'],
      ['TASK_STATE_INPUT_REQUIRED', 'input_required'],
      ['TASK_STATE_AUTH_REQUIRED', 'auth_required'],
    ] as const) {
      const reply = await endOf(state, { throwOn: 'never' });
      expect(reply).toMatchObject({ kind: 'task', state, finishReason, text: 'half', artifacts: [artifact('half')] });
    }
  });

  test('events after the final state are ignored', async () => {
    const peer = scriptedPeer([{ events: [...HELLO, chunk('!'), status('TASK_STATE_FAILED')] }]);
    expect(await createRun(peer, 'Hi').result).toMatchObject({ text: 'Hello world', state: 'TASK_STATE_COMPLETED' });
  });
});

describe('ids', () => {
  const contextsOf = (peer: ReturnType<typeof scriptedPeer>): unknown[] => peer.calls.map(({ params }) => params.message?.contextId);

  test('G3: the task id belongs to one run; the next run of a conversation has the context and no task id', async () => {
    const peer = scriptedPeer([{ events: HELLO }, { events: HELLO }]);
    const chat = openConversation(peer, undefined);
    const first = chat.run('one');
    expect(first.taskId).toBeUndefined();
    await first.result;
    expect([first.taskId, first.contextId]).toEqual([TASK, CONTEXT]);
    await chat.run('two').result;
    expect(peer.calls[1]?.params.message).toMatchObject({ contextId: CONTEXT, parts: [{ text: 'two' }] });
    expect(peer.calls[1]?.params.message).not.toHaveProperty('taskId');
  });

  for (const [name, event] of [
    ['a Task', task('TASK_STATE_COMPLETED')],
    ['a status', status('TASK_STATE_COMPLETED')],
    ['an artifact', chunk('x', { append: false })],
    ['a Message', { message: says('hi', { contextId: CONTEXT }) }],
  ] as const) {
    test(`G4: a conversation takes its context from ${name}`, async () => {
      const chat = openConversation(scriptedPeer([{ events: [event], end: 'stall' }]), undefined);
      for await (const _ of chat.run('Hi')) break;
      expect(chat.contextId).toBe(CONTEXT);
    });
  }

  test('G4: two conversations never share a context, and empty ids count as none', async () => {
    const other = [{ task: { id: 'other-1', contextId: 'other-context', status: { state: 'TASK_STATE_COMPLETED' } } }] as const;
    const silent = [{ message: says('hi', { contextId: '' }) }];
    const one = scriptedPeer([{ events: HELLO }, { events: silent }, { events: HELLO }], { key: 'http://one.test' });
    const two = scriptedPeer([{ events: other }, { events: other }], { key: 'http://two.test' });
    const [first, second] = [openConversation(one, undefined), openConversation(two, '')];
    for (const chat of [first, second, first, second, first]) await chat.run('Hi').result;
    expect(contextsOf(one)).toEqual([undefined, CONTEXT, CONTEXT]);
    expect(contextsOf(two)).toEqual([undefined, 'other-context']);
  });

  test('G4: in a conversation, contextId null starts a new context, an id selects it, and a message to a task sends none', async () => {
    const peer = scriptedPeer([{ events: HELLO }, { events: HELLO }, { events: HELLO }, { events: HELLO }]);
    const chat = openConversation(peer, 'last');
    await chat.run('a').result;
    await chat.run('b', { contextId: null }).result;
    await chat.run('c', { contextId: 'mine' }).result;
    await chat.run('d', { taskId: TASK }).result;
    expect(contextsOf(peer)).toEqual(['last', undefined, 'mine', undefined]);
  });

  test('F70: a run outside of a conversation remembers no context', async () => {
    const peer = scriptedPeer([{ events: HELLO }, { events: HELLO }]);
    await createRun(peer, 'one').result;
    await createRun(peer, 'two').result;
    expect(contextsOf(peer)).toEqual([undefined, undefined]);
  });
});

test('the options set the metadata, references and configuration of the message and the options of the call', async () => {
  const peer = scriptedPeer([{ events: HELLO }]);
  const options = {
    metadata: { of: 'request' },
    messageMetadata: { a: 1 },
    referenceTaskIds: ['t-0'],
    headers: { 'x-a': 'b' },
    tenant: 't',
    idempotencyKey: 'k',
    historyLength: 3,
  };
  await createRun(peer, { parts: [{ data: 1 }], messageId: 'm-1' }, { ...options, acceptedOutputModes: ['image/png'] }).result;
  expect(peer.calls[0]?.params).toEqual({
    message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ data: 1 }], metadata: { a: 1 }, referenceTaskIds: ['t-0'] },
    configuration: { historyLength: 3, acceptedOutputModes: ['image/png'] },
    metadata: { of: 'request' },
  });
  expect(peer.calls[0]?.options).toMatchObject({ headers: { 'x-a': 'b' }, tenant: 't', idempotencyKey: 'k' });
});

test('invalid options throw at once, with a message that names the value', () => {
  const run =
    (input: unknown, options: object = {}) =>
    () =>
      // Callers without types can pass any value.
      createRun(scriptedPeer([]), input as string, options);
  expect(run([])).toThrow('the input must be a string, a list of at least one part, or a message with parts');
  expect(run({ role: 'ROLE_USER' })).toThrow(A2AError);
  expect(run(undefined)).toThrow(A2AError);
  expect(run('x', { mode: 'push' })).toThrow('mode must be auto, stream or poll, got push');
  expect(run('x', { throwOn: 'always' })).toThrow('throwOn must be failure or never, got always');
  expect(run('x', { pollingIntervalMs: 0 })).toThrow('pollingIntervalMs must be a number of at least 1, got 0');
  expect(run('x', { inputRequiredTimeoutMs: Number.NaN })).toThrow('got NaN');
  expect(run('x', { reconnect: { maxRetries: -1 } })).toThrow('reconnect.maxRetries must be a number of at least 0, got -1');
  expect(run('x', { historyLength: 1.5 })).toThrow('historyLength must be a whole number of at least 0, got 1.5');
});
