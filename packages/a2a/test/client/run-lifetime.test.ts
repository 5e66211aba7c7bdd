/** The lifetime of a run: loop, result, detach and cancel. After its end nothing stays open. */
import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Run } from '../../src/client/client.js';
import { createRun, createWatch } from '../../src/client/run/create-run.js';
import type { RunOptions } from '../../src/client/run/run-options.js';
import { A2AError, A2ATaskCanceledError } from '../../src/protocol/errors.js';
import {
  artifact,
  chunk,
  collect,
  type PeerOptions,
  type ScriptedPeer,
  type Step,
  says,
  scriptedPeer,
  status,
  TASK,
  task,
  theTask,
} from './scripted-peer.js';

const BEGIN = task('TASK_STATE_WORKING');
const A = chunk('a', { append: false });
const DONE = status('TASK_STATE_COMPLETED');
const WHOLE: Step = { events: [BEGIN, A, DONE] };
const OPEN: Step = { events: [BEGIN, A], end: 'stall' };

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => {
  unhandled.push(reason);
};

beforeEach(() => {
  process.on('unhandledRejection', onUnhandled);
});

afterEach(async () => {
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', onUnhandled);
  expect(unhandled.splice(0)).toEqual([]);
});

function begin(steps: readonly Step[], options: RunOptions = {}, peerOptions: PeerOptions = {}): { peer: ScriptedPeer; run: Run } {
  const peer = scriptedPeer(steps, peerOptions);
  return { peer, run: createRun(peer, 'Hi', options) };
}

/** Starts the loop and reads the first updates. */
async function takeSome(run: Run, count: number): Promise<AsyncIterator<unknown>> {
  const loop = run[Symbol.asyncIterator]();
  for (let n = 0; n < count; n += 1) await loop.next();
  return loop;
}

/** Starts a loop; the test checks its end later. */
function reading(run: Run): Promise<unknown> {
  const told = collect(run);
  told.catch(() => {});
  return told;
}

const nothingIsLeft = ({ openStreams, clock }: ScriptedPeer): void => expect([openStreams, clock.pending]).toEqual([0, 0]);

describe('D37: the loop and the result', () => {
  test('D37: a run that is neither iterated nor awaited never starts', async () => {
    const { peer } = begin([WHOLE]);
    await peer.clock.tick(1_000);
    expect(peer.calls).toEqual([]);
  });

  test('D37: awaiting only the result reads the whole run', async () => {
    const { peer, run } = begin([WHOLE]);
    expect((await run.result).text).toBe('a');
    expect(run.result).toBe(run.result);
    nothingIsLeft(peer);
  });

  test('D37: the loop and the result share one run, in either order', async () => {
    for (const early of [true, false]) {
      const { peer, run } = begin([WHOLE]);
      const asked = early ? run.result : undefined;
      expect(await collect(run)).toHaveLength(5);
      expect((await (asked ?? run.result)).text).toBe('a');
      expect(peer.calls).toHaveLength(1);
    }
  });

  test('D37: a run can be iterated once, and not after its result was awaited', async () => {
    const { run } = begin([WHOLE]);
    await collect(run);
    expect(() => run[Symbol.asyncIterator]()).toThrow('a run can be iterated only once');
    const other = begin([WHOLE]).run;
    await other.result;
    expect(() => other[Symbol.asyncIterator]()).toThrow('start the loop before awaiting');
  });

  test('D37: an error in the loop is no unhandled rejection, also when the result was accessed', async () => {
    const failed: Step = { events: [BEGIN, status('TASK_STATE_FAILED', 'no')] };
    const { run } = begin([failed]);
    await expect(collect(run)).rejects.toThrow('no');
    await expect(run.result).rejects.toThrow('no');
    const named = begin([failed]).run;
    void named.result;
    await expect(collect(named)).rejects.toThrow('no');
  });

  test('the loop throws an error once and is then done', async () => {
    const { run } = begin([{ events: [BEGIN, status('TASK_STATE_FAILED')] }]);
    const loop = await takeSome(run, 3);
    await expect(loop.next()).rejects.toThrow();
    expect(await loop.next()).toEqual({ done: true, value: undefined });
  });

  test('D37: leaving the loop closes the stream and does not cancel the task', async () => {
    const { peer, run } = begin([OPEN]);
    for await (const _ of run) break;
    await expect(run.result).rejects.toMatchObject({ reason: 'ABORTED' });
    expect(peer.methods).toEqual(['SendStreamingMessage']);
    nothingIsLeft(peer);
  });

  test('D37: a result that was accessed before still resolves when the loop is left', async () => {
    const { run } = begin([WHOLE]);
    const { result } = run;
    for await (const _ of run) break;
    expect((await result).text).toBe('a');
  });

  test('the stream is read only as fast as the loop', async () => {
    const { peer, run } = begin([{ events: [BEGIN, A, ...Array.from({ length: 100 }, () => chunk('x')), DONE] }]);
    const loop = await takeSome(run, 4);
    await peer.clock.tick();
    expect(peer.taken).toBe(2);
    await loop.return?.();
    nothingIsLeft(peer);
  });

  test('concurrent next() calls resolve in order', async () => {
    const { run } = begin([WHOLE]);
    const loop = run[Symbol.asyncIterator]();
    const steps = await Promise.all(Array.from({ length: 7 }, () => loop.next()));
    expect(steps.map(({ value }) => value?.kind)).toEqual(['task', 'state', 'artifact', 'text', 'state', undefined, undefined]);
  });

  test('an agent that cannot be reached rejects the run with that error', async () => {
    const peer = { ...scriptedPeer([]), peer: () => Promise.reject(new A2AError('AGENT_UNAVAILABLE', 'no card')) };
    await expect(createRun(peer, 'Hi').result).rejects.toThrow('no card');
  });
});

describe('C24: detach and cancel', () => {
  /** All situations of a run: a stream, a delay, a question, a poll, a call without a response. */
  const places: [string, Step[], RunOptions, PeerOptions?][] = [
    ['while the stream is silent', [OPEN], {}],
    ['before the agent has answered', ['silence'], {}],
    ['between two streams', [{ events: [BEGIN, A], end: 'drop' }], {}],
    ['while a stream is reopened', [{ events: [BEGIN, A], end: 'drop' }, 'silence'], { reconnect: { initialDelayMs: 0 } }],
    [
      'while the user is asked',
      [{ events: [BEGIN, status('TASK_STATE_INPUT_REQUIRED')] }],
      { onInputRequired: () => new Promise<string>(() => {}), inputRequiredTimeoutMs: 9_000 },
    ],
    [
      'while an authorization is requested',
      [{ events: [BEGIN, status('TASK_STATE_AUTH_REQUIRED')], end: 'stall' }],
      { onAuthRequired: () => new Promise<undefined>(() => {}) },
    ],
    ['between two polls', [{ value: { task: theTask('TASK_STATE_WORKING') } }], {}, { streaming: false }],
    [
      'while a poll has no response',
      [{ value: { task: theTask('TASK_STATE_WORKING') } }, 'silence'],
      { pollingIntervalMs: 1 },
      { streaming: false },
    ],
  ];

  for (const [place, steps, options, peerOptions] of places) {
    test(`C24: a signal that aborts ${place} ends the loop with ABORTED, cancels nothing and leaves nothing open`, async () => {
      const controller = new AbortController();
      const { peer, run } = begin(steps, { ...options, signal: controller.signal }, peerOptions);
      const told = reading(run);
      await peer.clock.tick(10);
      controller.abort(new Error('enough'));
      await expect(told).rejects.toMatchObject({ reason: 'ABORTED', cause: new Error('enough') });
      await expect(run.result).rejects.toMatchObject({ reason: 'ABORTED' });
      expect(peer.methods).not.toContain('CancelTask');
      expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
      nothingIsLeft(peer);
    });

    test(`C24: detach ${place} ends the loop without an error, and the result with ABORTED`, async () => {
      const { peer, run } = begin(steps, options, peerOptions);
      const told = reading(run);
      await peer.clock.tick(10);
      run.detach();
      run.detach();
      await told;
      await expect(run.result).rejects.toMatchObject({ reason: 'ABORTED', message: expect.stringContaining('its task continues') });
      nothingIsLeft(peer);
    });
  }

  test('C24: a run closes its stream on abort also when its loop is paused', async () => {
    const controller = new AbortController();
    const { peer, run } = begin([OPEN], { signal: controller.signal });
    const loop = await takeSome(run, 2);
    controller.abort();
    await peer.clock.tick();
    nothingIsLeft(peer);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
    await expect(loop.next()).rejects.toMatchObject({ reason: 'ABORTED' });
    expect(await loop.next()).toMatchObject({ done: true });
  });

  test('C24: a run that was aborted or detached before its start sends nothing', async () => {
    const { peer, run } = begin([WHOLE], { signal: AbortSignal.abort() });
    await expect(run.result).rejects.toMatchObject({ reason: 'ABORTED' });
    const other = begin([WHOLE]);
    other.run.detach();
    expect(await collect(other.run)).toEqual([]);
    expect([...peer.calls, ...other.peer.calls]).toEqual([]);
  });

  test('C24: a run that ended leaves no listener on the signal', async () => {
    const { signal } = new AbortController();
    await begin([WHOLE], { signal }).run.result;
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  test('C24: cancel sends CancelTask, and the run ends with the state from the server', async () => {
    const canceled = theTask('TASK_STATE_CANCELED');
    const { peer, run } = begin([OPEN, { value: canceled }]);
    const told = reading(run);
    await peer.clock.tick();
    expect(await run.cancel()).toEqual(canceled);
    expect(peer.calls[1]).toMatchObject({ method: 'CancelTask', params: { id: TASK } });
    await peer.clock.tick(2_000);
    await expect(told).rejects.toBeInstanceOf(A2ATaskCanceledError);
    await expect(run.result).rejects.toMatchObject({ task: { artifacts: [artifact('a')], status: { state: 'TASK_STATE_CANCELED' } } });
    nothingIsLeft(peer);
  });

  test('C24: a stream that reports the end after a cancel may finish, and its grace timer is cleared', async () => {
    let tell = (): void => {};
    const told = new Promise<void>((resolve) => {
      tell = resolve;
    });
    async function* events() {
      yield* [BEGIN, A];
      await told;
      yield* [chunk('b'), status('TASK_STATE_CANCELED', 'stopped')];
    }
    const { peer, run } = begin([{ events: events() }, { value: theTask('TASK_STATE_CANCELED') }], { throwOn: 'never' });
    const { result } = run;
    await peer.clock.tick();
    await run.cancel();
    expect(peer.clock.pending).toBe(1);
    tell();
    expect(await result).toMatchObject({ text: 'ab', task: { status: { message: { parts: [{ text: 'stopped' }] } } } });
    nothingIsLeft(peer);
  });

  test('C24: with throwOn: never a canceled task is a result', async () => {
    const { peer, run } = begin([OPEN, { value: theTask('TASK_STATE_CANCELED') }], { throwOn: 'never' });
    const { result } = run;
    await peer.clock.tick();
    await run.cancel();
    await peer.clock.tick(2_000);
    expect(await result).toMatchObject({ finishReason: 'canceled', text: 'a' });
  });

  for (const [place, steps, options, peerOptions] of places.filter(
    ([name]) => !name.includes('before') && !name.includes('stream is silent'),
  )) {
    test(`C24: cancel ${place} ends the run with the canceled task`, async () => {
      const { peer, run } = begin([...steps, { value: theTask('TASK_STATE_CANCELED') }], options, peerOptions);
      const told = reading(run);
      await peer.clock.tick(10);
      await run.cancel();
      await peer.clock.tick(2_000);
      await expect(told).rejects.toBeInstanceOf(A2ATaskCanceledError);
      nothingIsLeft(peer);
    });
  }

  test('7.3.10: cancel before the first event waits for the task id and then reaches the server', async () => {
    let answer = (): void => {};
    const ready = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { peer, run } = begin([() => ready.then(() => OPEN), { value: theTask('TASK_STATE_CANCELED') }]);
    const told = reading(run);
    await peer.clock.tick();
    const canceling = run.cancel();
    await peer.clock.tick();
    expect(peer.methods).toEqual(['SendStreamingMessage']);
    answer();
    expect(await canceling).toMatchObject({ status: { state: 'TASK_STATE_CANCELED' } });
    await peer.clock.tick(2_000);
    await expect(told).rejects.toBeInstanceOf(A2ATaskCanceledError);
  });

  test('C24: cancel stops waiting for a task id when its own signal aborts, or when the answer has no task', async () => {
    const { peer, run } = begin(['silence']);
    const told = reading(run);
    await peer.clock.tick();
    const controller = new AbortController();
    const canceling = run.cancel({ signal: controller.signal });
    controller.abort();
    expect(await canceling).toBeUndefined();
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
    run.detach();
    await told;
    const spoken = begin([{ events: [{ message: says('hi') }] }]).run;
    const [reply, canceled] = await Promise.all([spoken.result, Promise.resolve().then(() => spoken.cancel())]);
    expect([reply.kind, canceled]).toEqual(['message', undefined]);
  });

  test('C24: cancel of a task that has ended returns that task', async () => {
    const { peer, run } = begin([WHOLE]);
    await run.result;
    expect(await run.cancel()).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } });
    expect(peer.methods).toEqual(['SendStreamingMessage']);
    const over = theTask('TASK_STATE_COMPLETED');
    const other = begin([OPEN, { error: new A2AError('TASK_NOT_CANCELABLE', 'over') }, { value: over }]);
    const { result } = other.run;
    await other.peer.clock.tick();
    expect(await other.run.cancel()).toEqual(over);
    await other.peer.clock.tick(2_000);
    expect((await result).finishReason).toBe('completed');
  });

  test('C24: a cancel that fails rejects, and the run continues', async () => {
    const { peer, run } = begin([OPEN, { error: new A2AError('INTERNAL_ERROR', 'cannot') }]);
    const told = reading(run);
    await peer.clock.tick();
    await expect(run.cancel()).rejects.toThrow('cannot');
    expect(peer.openStreams).toBe(1);
    run.detach();
    await told;
  });

  test('C24: a run that was canceled before its start sends nothing; a watch cancels its task', async () => {
    const { peer, run } = begin([]);
    expect(await run.cancel()).toBeUndefined();
    expect(await collect(run)).toEqual([]);
    expect(peer.calls).toEqual([]);
    const other = scriptedPeer([{ value: theTask('TASK_STATE_CANCELED') }]);
    expect(await createWatch(other, TASK).cancel()).toMatchObject({ id: TASK });
  });
});

describe('D23: runs with a scope', () => {
  const scope = (signal: AbortSignal) => ({ signal, depth: 1, rootTaskId: 'root', trace: '00-a-b-01' });

  test('D23: the message carries the depth, and every call carries the trace', async () => {
    const { peer, run } = begin([WHOLE], { scope: scope(new AbortController().signal), messageMetadata: { a: 1 } });
    await run.result;
    expect(peer.calls[0]?.params.message.metadata).toEqual({ a: 1, 'urn:parley:a2a:delegation:v1': { depth: 2, rootTaskId: 'root' } });
    expect(peer.calls[0]?.options.headers).toEqual({ traceparent: '00-a-b-01' });
  });

  test('D23: every further message of the run carries the depth in addition to its own metadata', async () => {
    const asks: Step = { events: [task('TASK_STATE_INPUT_REQUIRED', { said: says('Which?') })] };
    const answers = ['this', { parts: [{ text: 'that' }], metadata: { b: 2 } }];
    const { peer, run } = begin([asks, { events: [status('TASK_STATE_WORKING'), status('TASK_STATE_INPUT_REQUIRED', 'And?')] }, WHOLE], {
      scope: scope(new AbortController().signal),
      messageMetadata: { a: 1 },
      onInputRequired: () => answers.shift() ?? '',
    });
    await run.result;
    const depth = { 'urn:parley:a2a:delegation:v1': { depth: 2, rootTaskId: 'root' } };
    expect(peer.calls.map(({ params }) => params.message.metadata)).toEqual([{ a: 1, ...depth }, depth, { b: 2, ...depth }]);
  });

  test('D23: when the parent is canceled, the run cancels its task and ends at once', async () => {
    const controller = new AbortController();
    const { peer, run } = begin([OPEN, 'silence'], { scope: scope(controller.signal) });
    const told = reading(run);
    await peer.clock.tick();
    controller.abort();
    await expect(told).rejects.toMatchObject({ reason: 'ABORTED' });
    expect(peer.calls[1]).toMatchObject({ method: 'CancelTask', params: { id: TASK } });
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
    nothingIsLeft(peer);
  });

  test('D23: the cancel also waits for an unknown task id, for a limited time', async () => {
    const controller = new AbortController();
    let answer = (): void => {};
    const ready = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { peer, run } = begin([() => ready.then(() => OPEN), { error: new A2AError('INTERNAL_ERROR', 'cannot') }], {
      scope: scope(controller.signal),
    });
    const told = reading(run);
    await peer.clock.tick();
    controller.abort();
    await peer.clock.tick(1_000);
    answer();
    await expect(told).rejects.toMatchObject({ reason: 'ABORTED' });
    expect(peer.methods).toEqual(['SendStreamingMessage', 'CancelTask']);
    await peer.clock.tick();
    expect(peer.errors).toMatchObject([{ message: 'cannot' }]);
    nothingIsLeft(peer);

    const late = new AbortController();
    const other = begin(['silence'], { scope: scope(late.signal) });
    const gaveUp = expect(collect(other.run)).rejects.toMatchObject({ reason: 'ABORTED' });
    await other.peer.clock.tick();
    late.abort();
    await other.peer.clock.tick(5_000);
    await gaveUp;
    nothingIsLeft(other.peer);
  });
});
