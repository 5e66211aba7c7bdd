// @vitest-environment happy-dom
// What @assistant-ui/react-a2a 0.2.32 gets wrong, each as a scenario that either package can play. With ours it must come out right; where the
// published package was seen to fail, that it does so in this very scenario shows that the scenario can fail.

import type { ExportedMessageRepositoryItem } from '@assistant-ui/react';
import * as published from '@assistant-ui/react-a2a';
import { afterEach, describe, expect, test } from 'vitest';
import * as ours from '../../src/assistant-ui/index.js';
import { AGENT_URL, COMPLETED, chunk, observe, said, serveScript, serveSteps, status, task, WORKING } from './agents.js';
import { mount, textOf, unmountAll, until } from './stage.js';

/** Either package: they have the same names. */
type Package = Pick<typeof published, 'useA2ARuntime' | 'useA2AArtifacts' | 'useA2ATask'>;
type Options = Parameters<Package['useA2ARuntime']>[0];

// The one type that differs is the client's class, and no scenario gives one.
const parley = ours as unknown as Package;

afterEach(unmountAll);

/** A page at the agent, ready to talk. */
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

describe('1', () => {
  test('7.3(1): a stream that ends while the task works is gone on with, and the answer is complete when it is', async () => {
    const seen = await cut(parley, 'end');
    expect(seen).toMatchObject({ status: { type: 'complete' }, subscribed: 1 });
    expect(seen.text).toContain('The answer.');
  });

  test('7.3(1): where the stream can not be had again, the answer is not called complete', async () => {
    serveScript({ SendStreamingMessage: { events: ENDED }, SubscribeToTask: 404, GetTask: 404 });
    const page = await open(parley);
    await page.sayAndWait('Hi');
    expect(page.messages.at(-1)?.status?.type).toBe('incomplete');
  });

  test('the published package calls such an answer complete', async () => {
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

describe('2', () => {
  test('7.3(2): an agent that can not stream is asked until its task is done', async () => {
    expect(await sendsOnly(parley)).toEqual({ status: 'complete', text: 'The answer.' });
  });

  test('the published package leaves the answer running, with nobody running it', async () => {
    expect(await sendsOnly(published)).toEqual({ status: 'running', text: '' });
  });
});

describe('3', () => {
  test('7.3(3): a connection that drops is taken up again where it was', async () => {
    const seen = await cut(parley, 'drop');
    expect(seen).toMatchObject({ status: { type: 'complete' }, subscribed: 1 });
    expect(seen.text).toContain('The answer.');
  });

  test('the published package gives up', async () => {
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

describe('4', () => {
  test('7.3(4): words that come one after the other are all shown', async () => {
    expect(await words(parley)).toBe('Hello world');
  });

  test('the published package shows the last ones only', async () => {
    expect(await words(published)).toBe('world');
  });
});

async function artifactOnly(kit: Package) {
  serveScript({ SendStreamingMessage: { events: [task(WORKING), chunk('The '), chunk('answer.', { append: true }), status(COMPLETED)] } });
  const page = await open(kit);
  await page.sayAndWait('Hi');
  return page.lastText;
}

describe('5', () => {
  test('7.3(5): an answer that is an artifact is shown', async () => {
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

describe('6', () => {
  test('7.3(6): an appended artifact keeps its name and metadata, and what belongs to another task is left out', async () => {
    const artifacts = await appends(parley);
    expect(artifacts).toHaveLength(1);
    expect(artifacts?.[0]).toMatchObject({ artifactId: 'a-1', name: 'notes.txt', metadata: { lines: 3, checked: true } });
  });

  test('the published package drops the metadata of what is appended, and takes the stranger in', async () => {
    const artifacts = await appends(published);
    expect(artifacts).toHaveLength(2);
    expect(artifacts?.[0]?.metadata).not.toHaveProperty('checked');
  });
});

const ASKED = [task(WORKING), status('TASK_STATE_INPUT_REQUIRED', 'Which city?')];

async function asksFirst(kit: Package) {
  const kept: ExportedMessageRepositoryItem[] = [];
  serveScript({ SendStreamingMessage: { events: ASKED } });
  const history = { load: async () => ({ messages: [] }), append: async (item: ExportedMessageRepositoryItem) => void kept.push(item) };
  const page = await open(kit, { adapters: { history } });
  await page.sayAndWait('Weather?');
  await until(() => page.messages.at(-1)?.status?.type === 'requires-action');
  await new Promise((resolve) => setTimeout(resolve, 20));
  return kept.map(({ message }) => [message.role, textOf(message), message.status?.type]);
}

describe('7', () => {
  test('7.3(7): an answer that asks something is kept in the history', async () => {
    expect(await asksFirst(parley)).toEqual([
      ['user', 'Weather?', undefined],
      ['assistant', 'Which city?', 'requires-action'],
    ]);
  });

  test('the published package does not keep it', async () => {
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

describe('8', () => {
  test('7.3(8): an edited message does not answer the question that is open elsewhere', async () => {
    const sent = await editsWhileAsked(parley);
    expect(sent).toMatchObject({ parts: [{ text: 'News?' }] });
    expect(sent).not.toHaveProperty('taskId');
  });

  test('the published package sends it as the answer', async () => {
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

describe('9', () => {
  test('7.3(9): another answer is asked for with another message id, so that nobody takes it for a repetition', async () => {
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

describe('10', () => {
  test('7.3(10): cancelled before the agent has said anything, the task is cancelled as soon as it has a name', async () => {
    expect(await cancelsEarly(parley)).toBe(1);
  });

  test('the published package never tells the agent', async () => {
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

describe('11', () => {
  test('7.3(11): the context of a plain reply is gone on with', async () => {
    expect(await repliesPlainly(parley)).toEqual([undefined, 'c-9']);
  });

  test('the published package begins a new one', async () => {
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

describe('12', () => {
  test('7.3(12): an agent is called where and how its card says', async () => {
    expect(await rpcOnly(parley)).toBe('complete');
  });

  test('the published package knows one way only', async () => {
    expect(await rpcOnly(published)).toBe('incomplete');
  });
});

describe('13', () => {
  test('7.3(13): rendering again with the same context id keeps the one that the agent gave', async () => {
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

describe('14', () => {
  test.each(['TASK_STATE_FAILED', 'TASK_STATE_REJECTED'] as const)('7.3(14): %s is an error with words, told once', async (state) => {
    const seen = await ends(parley, state);
    expect(seen.errors).toHaveLength(1);
    expect(seen.errors[0]).toBeInstanceOf(ours.A2AError);
    expect(seen.status).toEqual({ type: 'incomplete', reason: 'error', error: expect.stringContaining('No such city.') });
  });

  test('the published package tells nobody', async () => {
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

describe('15', () => {
  test('7.3(15): a message can be given metadata and the tasks that it refers to', async () => {
    expect(await carries(parley)).toMatchObject({ metadata: { source: 'menu' }, referenceTaskIds: ['t-0'] });
  });

  test('the published package has no way to', async () => {
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

describe('16', () => {
  test('7.3(16): a new message ends what was running, at the agent too, and does not go to its task', async () => {
    expect(await interrupts(parley)).toEqual({ cancels: 1, taskId: undefined });
  });

  test('the published package leaves the task running, and sends to it', async () => {
    expect(await interrupts(published)).toEqual({ cancels: 0, taskId: 't-1' });
  });
});

describe('17', () => {
  test('7.3(17): dictation is supported, and said to be', async () => {
    serveScript({});
    const dictation = { listen: () => ({}) as never };
    const page = await open(parley, { adapters: { dictation } });
    expect(page.runtime.thread.getState().capabilities.dictation).toBe(true);
    expect(page.runtime.thread.getState().capabilities.speech).toBe(false);
  });
});
