// @vitest-environment happy-dom
import type { ThreadMessage } from '@assistant-ui/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { A2AError, type UseA2ARuntimeOptions, useA2AArtifacts, useA2ARuntime, useA2ATask } from '../../src/assistant-ui/index.js';
import { A2AError as ParleyError } from '../../src/protocol/errors.js';
import type { Part, TaskState } from '../../src/protocol/types.js';
import { AGENT_URL, COMPLETED, chunk, observe, said, serveScript, serveSteps, status, task, WORKING } from './agents.js';
import { mount, textOf, unmountAll, until } from './stage.js';

afterEach(unmountAll);

const ANSWER = [task(WORKING), chunk('Hello.'), status(COMPLETED)];
const CANCELED = { value: task('TASK_STATE_CANCELED').task };
// Not retryable, so that no retry reaches the agent of the next test.
const REFUSED = { error: new ParleyError('TASK_NOT_CANCELABLE', 'too late') };
const INPUT_REQUIRED = 'TASK_STATE_INPUT_REQUIRED';

function open(options: UseA2ARuntimeOptions = {}, more?: Parameters<typeof mount>[2]) {
  return mount(useA2ARuntime, { baseUrl: AGENT_URL, ...options }, more);
}

function causesOf(error: unknown): string[] {
  return error instanceof Error ? [error.message, ...causesOf(error.cause)] : [];
}

function seen(messages: readonly ThreadMessage[]): string[] {
  return messages.map((message) => `${message.role}: ${textOf(message)}`);
}

describe('sending', () => {
  test('the answer of a real agent is shown chunk by chunk', async () => {
    const agent = serveSteps([
      { do: 'append', artifactId: 'answer', text: 'Hello ' },
      { do: 'flush' },
      { do: 'gate', name: 'rest' },
      { do: 'append', artifactId: 'answer', text: 'there.' },
      { do: 'complete' },
    ]);
    const page = await open();
    await page.say('Hi');
    await until(() => page.lastText === 'Hello ');
    agent.executor.open('rest');
    await until(() => !page.isRunning);
    expect(seen(page.messages)).toEqual(['user: Hi', 'assistant: Hello there.']);
    expect(page.messages[1]?.status).toEqual({ type: 'complete', reason: 'stop' });
  });

  test('U16: an assistant message starts no run unless startRun is true; a user message does unless it is false', async () => {
    const agent = serveScript({ SendStreamingMessage: { events: ANSWER } });
    const page = await open();
    page.runtime.thread.append({ role: 'assistant', content: [{ type: 'text', text: 'Welcome.' }] });
    await until(() => page.messages.length === 1);
    page.runtime.thread.append({ role: 'user', content: [{ type: 'text', text: 'Noted' }], startRun: false });
    await until(() => page.messages.length === 2);
    expect(page.isRunning).toBe(false);
    expect(agent.sent).toHaveLength(0);
    page.runtime.thread.append({ role: 'assistant', content: [{ type: 'text', text: 'Let me see.' }], startRun: true });
    await until(() => page.messages.length === 4 && !page.isRunning);
    expect(seen(page.messages)).toEqual(['assistant: Welcome.', 'user: Noted', 'assistant: Let me see.', 'assistant: Hello.']);
    expect(agent.sent.map(({ parts }) => parts)).toEqual([[{ text: 'Noted' }]]);
  });

  test('U16: an unknown parentId appends after the last message, and null adds at the start', async () => {
    serveScript({ SendStreamingMessage: { events: ANSWER } });
    const page = await open();
    await page.sayAndWait('One');
    page.runtime.thread.append({ content: [{ type: 'text', text: 'Two' }], parentId: 'missing' });
    await until(() => page.messages.length === 4 && !page.isRunning);
    page.runtime.thread.append({ content: [{ type: 'text', text: 'Three' }], parentId: null });
    await until(() => seen(page.messages)[0] === 'user: Three' && !page.isRunning);
    expect(page.messages).toHaveLength(2);
    expect(page.runtime.thread.export().messages).toHaveLength(6);
  });

  test('a message with a role that A2A does not have is put back into the composer', async () => {
    serveScript({});
    const page = await open();
    page.runtime.thread.composer.setRole('system');
    page.runtime.thread.composer.setText('You are a pirate');
    page.runtime.thread.composer.send();
    await until(() => page.runtime.thread.composer.getState().text === 'You are a pirate');
    expect(page.messages).toHaveLength(0);
  });

  test('U17: the answer exists at once: running and empty', async () => {
    serveScript({ SendStreamingMessage: { events: ANSWER, delays: { firstByteMs: 30 } } });
    const page = await open();
    await page.say('Hi');
    expect(page.messages[1]).toMatchObject({ role: 'assistant', status: { type: 'running' }, content: [] });
    await until(() => !page.isRunning);
  });

  test('U26: the next message goes to the task with an open question, and not to an ended task', async () => {
    const agent = serveScript({
      SendStreamingMessage: [{ events: [task(WORKING), status(INPUT_REQUIRED, 'Where?')] }, { events: ANSWER }],
    });
    const page = await open();
    await page.sayAndWait('Weather?');
    expect(page.messages[1]?.status).toEqual({ type: 'requires-action', reason: 'interrupt' });
    await page.sayAndWait('Rome');
    await page.sayAndWait('Thanks');
    expect(agent.sent.map(({ taskId }) => taskId)).toEqual([undefined, 't-1', undefined]);
  });

  test('U27: a new message ends the old answer, and the end of the old answer does not end the new one', async () => {
    const agent = serveScript({
      SendStreamingMessage: [
        { events: [task(WORKING), chunk('Half')], finish: 'stall' },
        { events: [task(WORKING, { id: 't-2' }), chunk('Whole', { taskId: 't-2' })], finish: 'stall' },
      ],
      CancelTask: CANCELED,
    });
    const page = await open();
    await page.say('One');
    await until(() => page.lastText === 'Half');
    await page.say('Two');
    await until(() => page.lastText === 'Whole');
    await until(() => agent.of('CancelTask').length === 1);
    expect(page.messages[1]?.status).toEqual({ type: 'incomplete', reason: 'cancelled' });
    expect(page.isRunning).toBe(true);
    expect(page.messages[3]?.status).toEqual({ type: 'running' });
  });
});

describe('answers', () => {
  test.each<[TaskState, object]>([
    ['TASK_STATE_UNSPECIFIED', { type: 'running' }],
    ['TASK_STATE_SUBMITTED', { type: 'running' }],
    ['TASK_STATE_WORKING', { type: 'running' }],
    ['TASK_STATE_COMPLETED', { type: 'complete', reason: 'stop' }],
    ['TASK_STATE_FAILED', { type: 'incomplete', reason: 'error' }],
    ['TASK_STATE_REJECTED', { type: 'incomplete', reason: 'error' }],
    ['TASK_STATE_CANCELED', { type: 'incomplete', reason: 'cancelled' }],
    ['TASK_STATE_INPUT_REQUIRED', { type: 'requires-action', reason: 'interrupt' }],
    ['TASK_STATE_AUTH_REQUIRED', { type: 'requires-action', reason: 'interrupt' }],
  ])('U18: a task in %s has the matching message status', async (state, expected) => {
    const isRunning = 'type' in expected && expected.type === 'running';
    const events = [task(WORKING), status(state, 'Said.')];
    serveScript({ SendStreamingMessage: { events, finish: isRunning ? 'stall' : 'end' }, SubscribeToTask: 'stall' });
    const page = await open();
    await page.say('Hi');
    await until(() => page.lastText === 'Said.' && page.isRunning === isRunning);
    expect(page.messages[1]?.status).toMatchObject(expected);
  });

  test('U19: a user message from the agent is not part of the answer', async () => {
    const echo = said('Hi', { role: 'ROLE_USER' });
    const update = { statusUpdate: { taskId: 't-1', contextId: 'c-1', status: { state: WORKING, message: echo } } } as const;
    serveScript({ SendStreamingMessage: { events: [task(WORKING), update, status(COMPLETED, 'Done.')] } });
    const page = await open();
    await page.sayAndWait('Hi');
    expect(page.lastText).toBe('Done.');
  });

  test('U20: every kind of part is shown with the matching type', async () => {
    const parts: Part[] = [
      { text: 'Look:' },
      { url: 'https://example.test/cat.png', mediaType: 'image/png' },
      { raw: 'AAAA', mediaType: 'image/png', filename: 'dog.png' },
      { raw: 'BBBB' },
      { data: { a: 1 } },
    ];
    serveScript({ SendStreamingMessage: { events: [{ message: said('', { parts }) }] } });
    const page = await open();
    await page.sayAndWait('Hi');
    expect(page.messages[1]?.content).toEqual([
      { type: 'text', text: 'Look:' },
      { type: 'image', image: 'https://example.test/cat.png' },
      { type: 'image', image: 'data:image/png;base64,AAAA', filename: 'dog.png' },
      { type: 'file', data: 'BBBB', mimeType: 'application/octet-stream' },
      { type: 'text', text: '{\n  "a": 1\n}' },
    ]);
  });

  test('U21: content is sent as parts, and content without an A2A part type is only shown', async () => {
    const agent = serveScript({ SendStreamingMessage: { events: ANSWER } });
    const page = await open();
    const content = [
      { type: 'text' as const, text: 'Look' },
      { type: 'image' as const, image: 'https://example.test/cat.png' },
      { type: 'file' as const, data: 'AAAA', mimeType: 'application/pdf', filename: 'a.pdf' },
      { type: 'audio' as const, audio: { data: 'BBBB', format: 'mp3' as const } },
      { type: 'data' as const, name: 'order', data: { id: 7 } },
    ];
    page.runtime.thread.append({ role: 'user', content });
    await until(() => page.messages.length === 2 && !page.isRunning);
    expect(agent.sent[0]?.parts).toEqual([
      { text: 'Look' },
      { url: 'https://example.test/cat.png' },
      { raw: 'AAAA', mediaType: 'application/pdf', filename: 'a.pdf' },
      { raw: 'BBBB', mediaType: 'audio/mp3' },
      { data: { id: 7 } },
    ]);
    expect(page.messages[0]?.content).toEqual(content);
  });

  test('U22: artifacts grow, are replaced, and start again with each run', async () => {
    const events = [
      task(WORKING),
      chunk('a', { name: 'first' }),
      chunk('b', { append: true }),
      chunk('x', { artifactId: 'a-2', append: true }),
      chunk('c', { artifactId: 'a-3' }),
      chunk('d', { artifactId: 'a-3' }),
      status(COMPLETED),
    ];
    serveScript({ SendStreamingMessage: [{ events }, { events: [task(WORKING), status(COMPLETED, 'Nothing.')] }] });
    const artifacts = observe(useA2AArtifacts);
    const page = await open({}, { children: artifacts.element });
    await page.sayAndWait('One');
    await until(() => artifacts.last?.length === 3);
    const texts = artifacts.last?.map(({ artifactId, parts }) => [artifactId, parts.map((part) => part.text).join('')]);
    expect(texts).toEqual([
      ['a-1', 'ab'],
      ['a-2', 'x'],
      ['a-3', 'd'],
    ]);
    await page.sayAndWait('Two');
    await until(() => artifacts.last?.length === 0);
  });

  test('D48: the drop-in keeps every part as it was received, during the stream and at the end', async () => {
    const events = [
      task(WORKING),
      chunk('a'),
      chunk('b', { append: true }),
      chunk('c', { append: true, lastChunk: true }),
      status(COMPLETED),
    ];
    serveScript({ SendStreamingMessage: { events } });
    const artifacts = observe(useA2AArtifacts);
    const told: (string | undefined)[][] = [];
    const page = await open(
      { onArtifactComplete: ({ parts }) => void told.push(parts.map(({ text }) => text)) },
      { children: artifacts.element },
    );
    await page.sayAndWait('One');
    await until(() => artifacts.last?.length === 1);
    expect(artifacts.last?.[0]?.parts.map((part) => part.text)).toEqual(['a', 'b', 'c']);
    expect(told).toEqual([['a', 'b', 'c']]);
  });

  test('U23: onArtifactComplete is called once per artifact, with all its parts', async () => {
    const events = [
      task(WORKING),
      chunk('a'),
      chunk('b', { append: true, lastChunk: true }),
      chunk('c', { artifactId: 'open' }),
      status(COMPLETED),
    ];
    serveScript({ SendStreamingMessage: { events } });
    const whole: string[] = [];
    const page = await open({
      onArtifactComplete: ({ artifactId, parts }) => void whole.push(`${artifactId}: ${parts.map(({ text }) => text).join('')}`),
    });
    await page.sayAndWait('Hi');
    expect(whole).toEqual(['a-1: ab', 'open: c']);
  });

  test('U40: the hook returns the task with lower-case states', async () => {
    serveScript({ SendStreamingMessage: { events: [task(WORKING), status(INPUT_REQUIRED, 'Where?')] } });
    const current = observe(useA2ATask);
    const page = await open({}, { children: current.element });
    await page.sayAndWait('Hi');
    await until(() => current.last?.status.state === 'input_required');
    expect(current.last).toMatchObject({ id: 't-1', contextId: 'c-1', status: { message: { role: 'agent' } } });
  });
});

describe('the end of an answer', () => {
  test.each(['throws', 'rejects'] as const)('U24: a callback that %s does not break the run', async (how) => {
    const fail = () => {
      if (how === 'throws') throw new Error('a bug of the page');
      return Promise.reject(new Error('a bug of the page'));
    };
    serveScript({
      SendStreamingMessage: [
        { events: [task(WORKING), chunk('a', { lastChunk: true }), status(COMPLETED)] },
        { events: [task(WORKING), status('TASK_STATE_FAILED', 'No.')] },
        { events: [task(WORKING)], finish: 'stall' },
      ],
      CancelTask: CANCELED,
    });
    const page = await open({ onArtifactComplete: fail, onError: fail, onCancel: fail });
    await page.sayAndWait('One');
    expect(page.messages[1]?.status?.type).toBe('complete');
    await page.sayAndWait('Two');
    expect(page.messages[3]?.status?.type).toBe('incomplete');
    await page.say('Three');
    page.runtime.thread.cancelRun();
    await until(() => !page.isRunning);
    expect(page.messages[5]?.status).toEqual({ type: 'incomplete', reason: 'cancelled' });
  });

  test('U28: a cancel ends the answer locally at once, then at the agent; a refusal of the agent is not reported', async () => {
    const agent = serveScript({ SendStreamingMessage: { events: [task(WORKING), chunk('Half')], finish: 'stall' }, CancelTask: REFUSED });
    const onCancel = vi.fn();
    const onError = vi.fn();
    const page = await open({ onCancel, onError });
    await page.say('Hi');
    await until(() => page.lastText === 'Half');
    page.runtime.thread.cancelRun();
    await until(() => !page.isRunning);
    expect(page.messages[1]).toMatchObject({ status: { type: 'incomplete', reason: 'cancelled' } });
    expect(page.lastText).toBe('Half');
    await until(() => agent.of('CancelTask').length > 0);
    expect(onCancel).toHaveBeenCalledTimes(1);
    expect(onError).not.toHaveBeenCalled();
    // A moment later assistant-ui sets the messages that it shows; that must not change anything.
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(page.messages[1]?.status).toEqual({ type: 'incomplete', reason: 'cancelled' });
    expect(page.messages).toHaveLength(2);
  });

  test('U28: the hook returns the canceled task', async () => {
    serveScript({ SendStreamingMessage: { events: [task(WORKING)], finish: 'stall' }, CancelTask: CANCELED });
    const current = observe(useA2ATask);
    const page = await open({}, { children: current.element });
    await page.say('Hi');
    await until(() => current.last?.id === 't-1');
    page.runtime.thread.cancelRun();
    await until(() => current.last?.status.state === 'canceled');
  });

  test('U28: without a run, cancel does nothing', async () => {
    const agent = serveScript({ SendStreamingMessage: { events: ANSWER } });
    const onCancel = vi.fn();
    const page = await open({ onCancel });
    await page.sayAndWait('Hi');
    page.runtime.thread.cancelRun();
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(agent.of('CancelTask')).toHaveLength(0);
    expect(onCancel).not.toHaveBeenCalled();
  });

  test('U29: unmounting ends the stream, but not the task', async () => {
    const agent = serveSteps([{ do: 'working', text: 'Busy.' }, { do: 'gate', name: 'end' }, { do: 'complete' }]);
    const page = await open();
    await page.say('Hi');
    await until(() => page.lastText === 'Busy.');
    const streams = agent.fetch.signals.filter(({ url }) => url.endsWith('/message:stream'));
    page.unmount();
    await until(() => streams[0]?.signal.aborted);
    expect(agent.of('CancelTask')).toHaveLength(0);
    expect(agent.executor.runs[0]?.signal.aborted).toBe(false);
  });

  test('U29: StrictMode unmounts and mounts again: one request for the card, one stream per message, and the conversation works', async () => {
    const agent = serveScript({ SendStreamingMessage: { events: ANSWER } });
    const page = await open({}, { strict: true });
    await page.sayAndWait('Hi');
    await page.sayAndWait('Again');
    expect(page.lastText).toBe('Hello.');
    expect(agent.of('SendStreamingMessage')).toHaveLength(2);
    expect(agent.of('GetAgentCard')).toHaveLength(1);
  });

  test('U29: a hidden part of the page keeps its conversation when it is shown again', async () => {
    const agent = serveScript({ SendStreamingMessage: { events: ANSWER } });
    const page = await open();
    await page.sayAndWait('One');
    await page.hide();
    await page.rerender({ baseUrl: AGENT_URL });
    await page.sayAndWait('Two');
    expect(seen(page.messages)).toEqual(['user: One', 'assistant: Hello.', 'user: Two', 'assistant: Hello.']);
    expect(agent.sent.map(({ contextId }) => contextId)).toEqual([undefined, 'c-1']);
  });

  test('U30: the message, onError and the rejection of a reload have the same error', async () => {
    const error = new ParleyError('TASK_NOT_FOUND', 'no such task');
    serveScript({ SendStreamingMessage: { error } });
    const told: Error[] = [];
    const page = await open({ onError: (given) => void told.push(given) });
    await page.sayAndWait('Hi');
    expect(page.messages[1]?.status).toMatchObject({ type: 'incomplete', reason: 'error', error: expect.stringContaining('no such task') });
    expect(told[0]).toBeInstanceOf(A2AError);
    expect(told[0]).toMatchObject({ code: 404, status: 'NOT_FOUND' });
    const rejected = await Promise.resolve(page.runtime.thread.startRun({ parentId: page.messages[0]?.id ?? null })).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(rejected).toBeInstanceOf(A2AError);
    expect(rejected).toBe(told[1]);
  });

  test('U30: a canceled answer is no error, whatever happens later', async () => {
    serveScript({ SendStreamingMessage: { events: [task(WORKING)], finish: 'stall' }, CancelTask: REFUSED });
    const onError = vi.fn();
    const page = await open({ onError });
    await page.say('Hi');
    page.runtime.thread.cancelRun();
    await until(() => !page.isRunning);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(onError).not.toHaveBeenCalled();
    expect(page.messages[1]?.status).toEqual({ type: 'incomplete', reason: 'cancelled' });
  });

  test('U31: an empty stream is an error', async () => {
    serveScript({ SendStreamingMessage: { events: [] } });
    const onError = vi.fn();
    const page = await open({ onError });
    await page.sayAndWait('Hi');
    expect(page.messages[1]?.status).toMatchObject({ type: 'incomplete', reason: 'error' });
    expect(onError).toHaveBeenCalledTimes(1);
  });

  test('U31: a stream of invalid events is an error that states the cause', async () => {
    serveScript({ SendStreamingMessage: { events: ['data: {"nonsense": 1}\n\n'] } });
    const told: Error[] = [];
    const page = await open({ onError: (error) => void told.push(error) });
    await page.sayAndWait('Hi');
    expect(page.messages[1]?.status).toMatchObject({ type: 'incomplete', reason: 'error' });
    expect(causesOf(told[0]).join(' | ')).toMatch(/contains none of task/);
  });

  test('U31: an invalid event after the first one is not an error: the rest is fetched again', async () => {
    serveScript({
      SendStreamingMessage: { events: [task(WORKING), 'data: {"nonsense": 1}\n\n'] },
      SubscribeToTask: { events: ANSWER },
    });
    const onError = vi.fn();
    const page = await open({ onError });
    await page.sayAndWait('Hi');
    expect(page.lastText).toBe('Hello.');
    expect(onError).not.toHaveBeenCalled();
  });

  test('U32: a stream that ends early is subscribed again; when that fails, the answer is incomplete', async () => {
    const agent = serveScript({ SendStreamingMessage: { events: [task(WORKING)] }, SubscribeToTask: 404, GetTask: 404 });
    const page = await open();
    await page.sayAndWait('Hi');
    expect(agent.of('SubscribeToTask').length).toBeGreaterThan(0);
    expect(page.messages[1]?.status?.type).toBe('incomplete');
  });
});
