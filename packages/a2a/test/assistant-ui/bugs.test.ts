// @vitest-environment happy-dom
// Bugs of @assistant-ui/react-a2a 0.2.32, each as a scenario that runs with either package. Parley must pass it. Where the published
// package is known to fail, a second test shows that it fails in the same scenario, so the scenario can detect the bug.

import type { ExportedMessageRepositoryItem } from '@assistant-ui/react';
import * as published from '@assistant-ui/react-a2a';
import { afterEach, describe, expect, test } from 'vitest';
import * as ours from '../../src/assistant-ui/index.js';
import { AGENT_URL, COMPLETED, chunk, observe, said, serveScript, serveSteps, status, task, WORKING } from './agents.js';
import { mount, textOf, unmountAll, until } from './stage.js';

/** Either package; both export the same names. */
type Package = Pick<typeof published, 'useA2ARuntime' | 'useA2AArtifacts' | 'useA2ATask'>;
type Options = Parameters<Package['useA2ARuntime']>[0];

// Only the type of the client class differs, and no scenario passes a client.
const parley = ours as unknown as Package;

afterEach(unmountAll);

/** A page of the agent, ready to send. */
function open(kit: Package, options: Options = {}, children?: Parameters<typeof mount>[2]) {
  return mount(kit.useA2ARuntime, { baseUrl: AGENT_URL, ...options }, children);
}

const ENDED = [task(WORKING), status(WORKING, 'Looking it up.')];
const REST = [task(WORKING), chunk('The answer.', { lastChunk: true }), status(COMPLETED)];

async function cut(kit: Package, finish: 'end' | 'drop') {
  const agent = serveScript({ SendStreamingMessage: { events: ENDED, finish }, SubscribeToTask: { events: REST } });
  const page = await open(kit);
  await page.sayAndWait('Hi');
  return { status: page.messages.at(-1)?.status, text: page.lastText, subscribed: agent.of('SubscribeToTask').length };
}

describe('a stream that ends too early', () => {
  test('7.3(1): a stream that ends while the task works is resumed, and the answer completes with the task', async () => {
    const seen = await cut(parley, 'end');
    expect(seen).toMatchObject({ status: { type: 'complete' }, subscribed: 1 });
    expect(seen.text).toContain('The answer.');
  });

  test('7.3(1): when the stream cannot be resumed, the answer is not complete', async () => {
    serveScript({ SendStreamingMessage: { events: ENDED }, SubscribeToTask: 404, GetTask: 404 });
    const page = await open(parley);
    await page.sayAndWait('Hi');
    expect(page.messages.at(-1)?.status?.type).toBe('incomplete');
  });

  test('the published package marks the answer as complete', async () => {
    expect(await cut(published, 'end')).toEqual({ status: { type: 'complete', reason: 'stop' }, text: 'Looking it up.', subscribed: 0 });
  });
});

async function sendsOnly(kit: Package) {
  const done = task(COMPLETED, { artifacts: [{ artifactId: 'a-1', parts: [{ text: 'The answer.' }] }] }).task;
  const { of } = serveScript(
    { SendMessage: { value: task(WORKING) }, GetTask: [{ value: task(WORKING).task }, { value: done }] },
    { card: { capabilities: { streaming: false } } },
  );
  const page = await open(kit);
  await until(() => of('GetAgentCard').length > 0);
  await page.sayAndWait('Hi');
  return { status: page.messages.at(-1)?.status?.type, text: page.lastText };
}

describe('an agent without streaming', () => {
  test('7.3(2): an agent without streaming is polled until its task has ended', async () => {
    expect(await sendsOnly(parley)).toEqual({ status: 'complete', text: 'The answer.' });
  });

  test('the published package leaves the answer running forever', async () => {
    expect(await sendsOnly(published)).toEqual({ status: 'running', text: '' });
  });
});

describe('a dropped connection', () => {
  test('7.3(3): a dropped connection is resumed', async () => {
    const seen = await cut(parley, 'drop');
    expect(seen).toMatchObject({ status: { type: 'complete' }, subscribed: 1 });
    expect(seen.text).toContain('The answer.');
  });

  test('the published package ends the answer with an error', async () => {
    expect(await cut(published, 'drop')).toMatchObject({ status: { type: 'incomplete', reason: 'error' }, subscribed: 0 });
  });
});

async function words(kit: Package) {
  serveScript({
    SendStreamingMessage: { events: [task(WORKING), status(WORKING, 'Hello '), status(WORKING, 'world'), status(COMPLETED)] },
  });
  const page = await open(kit);
  await page.sayAndWait('Hi');
  return page.lastText;
}

describe('consecutive status texts', () => {
  test('7.3(4): consecutive status texts are all shown', async () => {
    expect(await words(parley)).toBe('Hello world');
  });

  test('the published package shows only the last text', async () => {
    expect(await words(published)).toBe('world');
  });
});

async function artifactOnly(kit: Package) {
  serveScript({ SendStreamingMessage: { events: [task(WORKING), chunk('The '), chunk('answer.', { append: true }), status(COMPLETED)] } });
  const page = await open(kit);
  await page.sayAndWait('Hi');
  return page.lastText;
}

describe('an answer that is an artifact', () => {
  test('7.3(5): an answer that consists of an artifact is shown', async () => {
    expect(await artifactOnly(parley)).toBe('The answer.');
  });

  test('the published package shows nothing', async () => {
    expect(await artifactOnly(published)).toBe('');
  });
});

async function appends(kit: Package) {
  const metadata = { lines: 3 };
  const events = [
    task(WORKING),
    chunk('one', { name: 'notes.txt', metadata }),
    chunk('strange', { taskId: 't-other', artifactId: 'a-other' }),
    chunk(' two', { append: true, metadata: { checked: true } }),
    status(COMPLETED),
  ];
  serveScript({ SendStreamingMessage: { events } });
  const artifacts = observe(kit.useA2AArtifacts);
  const page = await open(kit, {}, { children: artifacts.element });
  await page.sayAndWait('Hi');
  await until(() => artifacts.last?.[0] !== undefined);
  return artifacts.last;
}

describe('appended artifacts', () => {
  test('7.3(6): an appended artifact keeps its name and metadata, and artifacts of other tasks are ignored', async () => {
    const artifacts = await appends(parley);
    expect(artifacts).toHaveLength(1);
    expect(artifacts?.[0]).toMatchObject({ artifactId: 'a-1', name: 'notes.txt', metadata: { lines: 3, checked: true } });
  });

  test('the published package drops the metadata of appended chunks, and adds the artifact of another task', async () => {
    const artifacts = await appends(published);
    expect(artifacts).toHaveLength(2);
    expect(artifacts?.[0]?.metadata).not.toHaveProperty('checked');
  });
});

const ASKED = [task(WORKING), status('TASK_STATE_INPUT_REQUIRED', 'Which city?')];

async function asksFirst(kit: Package) {
  const kept: ExportedMessageRepositoryItem[] = [];
  serveScript({ SendStreamingMessage: { events: ASKED } });
  let isLoaded = false;
  const history = {
    async load() {
      isLoaded = true;
      return { messages: [] };
    },
    append: async (item: ExportedMessageRepositoryItem) => void kept.push(item),
  };
  const page = await open(kit, { adapters: { history } });
  // The published package replaces all messages when its history arrives, also a message that was sent before.
  await until(() => isLoaded);
  await new Promise((resolve) => setTimeout(resolve, 20));
  await page.sayAndWait('Weather?');
  await until(() => page.messages.at(-1)?.status?.type === 'requires-action');
  await new Promise((resolve) => setTimeout(resolve, 20));
  return kept.map(({ message }) => [message.role, textOf(message), message.status?.type]);
}

describe('the history of an open question', () => {
  test('7.3(7): an answer with an open question is added to the history', async () => {
    expect(await asksFirst(parley)).toEqual([
      ['user', 'Weather?', undefined],
      ['assistant', 'Which city?', 'requires-action'],
    ]);
  });

  test('the published package does not add it', async () => {
    expect(await asksFirst(published)).toEqual([['user', 'Weather?', undefined]]);
  });
});

async function editsWhileAsked(kit: Package) {
  const agent = serveScript({ SendStreamingMessage: { events: ASKED } });
  const page = await open(kit);
  await page.sayAndWait('Weather?');
  const [first] = page.messages;
  const composer = page.runtime.thread.getMessageById(first?.id ?? '').composer;
  composer.beginEdit();
  composer.setText('News?');
  composer.send();
  await until(() => agent.sent.length === 2);
  return agent.sent[1];
}

describe('an edited message and an open question', () => {
  test('7.3(8): an edited message does not answer an open question in another branch', async () => {
    const sent = await editsWhileAsked(parley);
    expect(sent).toMatchObject({ parts: [{ text: 'News?' }] });
    expect(sent).not.toHaveProperty('taskId');
  });

  test('the published package sends it as the reply', async () => {
    expect(await editsWhileAsked(published)).toHaveProperty('taskId');
  });
});

async function reloads(kit: Package) {
  const agent = serveSteps([{ do: 'append', artifactId: 'a', text: 'Yes.' }, { do: 'complete' }]);
  const page = await open(kit);
  await page.sayAndWait('Sure?');
  const answer = page.messages[1];
  page.runtime.thread.getMessageById(answer?.id ?? '').reload();
  await until(() => agent.sent.length === 2);
  return agent.sent.map(({ messageId }) => messageId);
}

describe('the message id of a reload', () => {
  test('7.3(9): a reload uses a new message id, so that the agent does not treat it as a repeated message', async () => {
    expect(new Set(await reloads(parley)).size).toBe(2);
  });

  test('the published package sends the same id again', async () => {
    expect(new Set(await reloads(published)).size).toBe(1);
  });
});

async function cancelsEarly(kit: Package) {
  const events = [task(WORKING), status(WORKING, 'Late.')];
  const agent = serveScript({
    SendStreamingMessage: { events, delays: { firstByteMs: 60 }, finish: 'stall' },
    CancelTask: { value: task('TASK_STATE_CANCELED').task },
  });
  const page = await open(kit);
  await page.say('Hi');
  await until(() => agent.sent.length === 1);
  page.runtime.thread.cancelRun();
  await until(() => !page.isRunning);
  await until(() => agent.of('CancelTask').length > 0, 300).catch(() => {});
  return agent.of('CancelTask').length;
}

describe('a cancel before the first event', () => {
  test('7.3(10): a cancel before the first event cancels the task as soon as its id is known', async () => {
    expect(await cancelsEarly(parley)).toBe(1);
  });

  test('the published package does not cancel the task at the agent', async () => {
    expect(await cancelsEarly(published)).toBe(0);
  });
});

async function repliesPlainly(kit: Package) {
  const agent = serveScript({ SendStreamingMessage: { events: [{ message: said('Yes.', { contextId: 'c-9' }) }] } });
  const page = await open(kit);
  await page.sayAndWait('One');
  await page.sayAndWait('Two');
  return agent.sent.map(({ contextId }) => contextId);
}

describe('the context of a plain Message', () => {
  test('7.3(11): the context of a plain Message is used for the next message', async () => {
    expect(await repliesPlainly(parley)).toEqual([undefined, 'c-9']);
  });

  test('the published package sends no context', async () => {
    expect(await repliesPlainly(published)).toEqual([undefined, undefined]);
  });
});

async function rpcOnly(kit: Package) {
  const supportedInterfaces = [{ url: `${AGENT_URL}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }];
  const agent = serveScript(
    { SendStreamingMessage: ({ binding, path }) => (binding === 'jsonrpc' && path === '/rpc' ? { events: REST } : 404) },
    { card: { supportedInterfaces } },
  );
  const page = await open(kit);
  await until(() => agent.of('GetAgentCard').length > 0);
  await page.sayAndWait('Hi');
  return page.messages[1]?.status?.type;
}

describe('the URL and the binding of the card', () => {
  test('7.3(12): an agent is called at the URL and with the binding of its card', async () => {
    expect(await rpcOnly(parley)).toBe('complete');
  });

  test('the published package supports only one binding', async () => {
    expect(await rpcOnly(published)).toBe('incomplete');
  });
});

describe('the contextId option', () => {
  test('7.3(13): rendering again with the same contextId option keeps the context from the agent', async () => {
    const agent = serveScript({ SendStreamingMessage: { events: REST } });
    const options = { baseUrl: AGENT_URL, contextId: 'mine' };
    const page = await mount(parley.useA2ARuntime, options);
    await page.sayAndWait('One');
    await page.rerender({ ...options });
    await page.sayAndWait('Two');
    expect(agent.sent.map(({ contextId }) => contextId)).toEqual(['mine', 'c-1']);
  });
});

async function ends(kit: Package, state: 'TASK_STATE_FAILED' | 'TASK_STATE_REJECTED') {
  serveScript({ SendStreamingMessage: { events: [task(WORKING), status(state, 'No such city.')] } });
  const errors: Error[] = [];
  const page = await open(kit, { onError: (error) => void errors.push(error) });
  await page.sayAndWait('Hi');
  return { status: page.messages[1]?.status, errors };
}

describe('a failed or rejected task', () => {
  test.each(['TASK_STATE_FAILED', 'TASK_STATE_REJECTED'] as const)(
    '7.3(14): %s is an error with the text of the agent, reported once',
    async (state) => {
      const seen = await ends(parley, state);
      expect(seen.errors).toHaveLength(1);
      expect(seen.errors[0]).toBeInstanceOf(ours.A2AError);
      expect(seen.status).toEqual({ type: 'incomplete', reason: 'error', error: expect.stringContaining('No such city.') });
    },
  );

  test('the published package does not call onError', async () => {
    const seen = await ends(published, 'TASK_STATE_FAILED');
    expect(seen).toEqual({ status: { type: 'incomplete', reason: 'error' }, errors: [] });
  });
});

async function carries(kit: Package) {
  const agent = serveScript({ SendStreamingMessage: { events: REST } });
  const page = await open(kit);
  const a2a = { messageMetadata: { source: 'menu' }, referenceTaskIds: ['t-0'] };
  page.runtime.thread.append({ role: 'user', content: [{ type: 'text', text: 'Hi' }], runConfig: { custom: { a2a } } });
  await until(() => agent.sent.length === 1);
  return agent.sent[0];
}

describe('metadata and referenceTaskIds', () => {
  test('7.3(15): a message can have metadata and referenceTaskIds', async () => {
    expect(await carries(parley)).toMatchObject({ metadata: { source: 'menu' }, referenceTaskIds: ['t-0'] });
  });

  test('the published package does not support them', async () => {
    const sent = await carries(published);
    expect(sent).not.toHaveProperty('metadata');
    expect(sent).not.toHaveProperty('referenceTaskIds');
  });
});

async function interrupts(kit: Package) {
  const agent = serveScript({
    SendStreamingMessage: [{ events: [task(WORKING)], finish: 'stall' }, { events: REST }],
    CancelTask: { value: task('TASK_STATE_CANCELED').task },
  });
  const current = observe(kit.useA2ATask);
  const page = await open(kit, {}, { children: current.element });
  await page.say('One');
  await until(() => current.last?.id === 't-1');
  await page.say('Two');
  await until(() => agent.sent.length === 2);
  return { cancels: agent.of('CancelTask').length, taskId: agent.sent[1]?.taskId };
}

describe('a new message while a task runs', () => {
  test('7.3(16): a new message cancels the running task at the agent, and is not sent to that task', async () => {
    expect(await interrupts(parley)).toEqual({ cancels: 1, taskId: undefined });
  });

  test('the published package leaves the task running, and sends the message to it', async () => {
    expect(await interrupts(published)).toEqual({ cancels: 0, taskId: 't-1' });
  });
});

describe('dictation', () => {
  test('7.3(17): dictation is supported and reported as a capability', async () => {
    serveScript({});
    const dictation = { listen: () => ({}) as never };
    const page = await open(parley, { adapters: { dictation } });
    expect(page.runtime.thread.getState().capabilities.dictation).toBe(true);
    expect(page.runtime.thread.getState().capabilities.speech).toBe(false);
  });
});
