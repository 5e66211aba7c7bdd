// @vitest-environment happy-dom
/** The content of an answer message, and its order. */
import { useA2ARuntime as usePublishedRuntime } from '@assistant-ui/react-a2a';
import { afterEach, expect, test } from 'vitest';
import { type UseA2ARuntimeOptions, useA2AArtifacts, useA2ARuntime } from '../../src/assistant-ui/index.js';
import type { StreamResponse } from '../../src/protocol/types.js';
import { AGENT_URL, COMPLETED, chunk, observe, said, serveScript, status, task, WORKING } from './agents.js';
import { mount, textOf, unmountAll, until } from './stage.js';

afterEach(unmountAll);

const EVENTS: StreamResponse[] = [
  task(WORKING),
  status(WORKING, 'Looking at the map.'),
  chunk('The plan', { artifactId: 'plan', lastChunk: true }),
  { message: said('Half-way.') },
  status(COMPLETED, 'Have a nice trip.'),
];

const open = (options: UseA2ARuntimeOptions = {}, more?: Parameters<typeof mount>[2]) =>
  mount(useA2ARuntime, { baseUrl: AGENT_URL, ...options }, more);

test('F38: with messageContent last-message, a message has the same content as in the published package', async () => {
  const contents: unknown[] = [];
  for (const useRuntime of [
    (options: UseA2ARuntimeOptions) => useA2ARuntime({ ...options, messageContent: 'last-message' }),
    usePublishedRuntime as unknown as typeof useA2ARuntime, // has the same options, but its own client class
  ]) {
    for (const count of [2, 3, 4, 5]) {
      serveScript({ SendStreamingMessage: { events: EVENTS.slice(0, count), finish: count === 5 ? 'end' : 'stall' } });
      const page = await mount(useRuntime, { baseUrl: AGENT_URL });
      const expected = ['Looking at the map.', 'Looking at the map.', 'Half-way.', 'Have a nice trip.'][count - 2];
      await page.say('Plan');
      await until(() => page.lastText === expected);
      contents.push(page.messages.at(-1)?.content);
      page.unmount();
    }
  }
  const [ours, theirs] = [contents.slice(0, 4), contents.slice(4)];
  expect(ours).toEqual(theirs);
});

test('F38: with last-message, artifacts are only in the hook, and an answer of artifacts has no content', async () => {
  serveScript({ SendStreamingMessage: { events: [task(WORKING), chunk('The plan', { artifactId: 'plan' }), status(COMPLETED)] } });
  const artifacts = observe(useA2AArtifacts);
  const page = await open({ messageContent: 'last-message' }, { children: artifacts.element });
  await page.sayAndWait('Plan');
  expect(page.messages.at(-1)?.content).toEqual([]);
  await until(() => artifacts.last?.length === 1);
  expect(artifacts.last).toMatchObject([{ artifactId: 'plan', parts: [{ text: 'The plan' }] }]);
});

test('F38: by default a message contains everything, in the order of the events', async () => {
  serveScript({ SendStreamingMessage: { events: EVENTS } });
  const page = await open();
  await page.sayAndWait('Plan');
  expect(page.messages.at(-1)?.content.map((part) => part.type === 'text' && part.text)).toEqual([
    'Looking at the map.',
    'The plan',
    'Half-way.\n\nHave a nice trip.',
  ]);
});

test('F38: the option can change while the page is mounted', async () => {
  serveScript({ SendStreamingMessage: { events: EVENTS } });
  const page = await open();
  await page.sayAndWait('Plan');
  await page.rerender({ baseUrl: AGENT_URL, messageContent: 'last-message' });
  await until(() => page.lastText === 'Have a nice trip.');
  await page.rerender({ baseUrl: AGENT_URL });
  await until(() => page.messages.at(-1)?.content.length === 3);
});

test('F38: without streaming, the final status text comes after the artifacts', async () => {
  // The official SDK also adds the message of the current status to the history.
  const word = said('Have a nice trip.');
  const artifacts = [{ artifactId: 'plan', parts: [{ text: 'The plan' }] }];
  const over = task(COMPLETED, { status: { state: COMPLETED, message: word }, history: [word], artifacts });
  serveScript({ SendMessage: { value: task(WORKING) }, GetTask: { value: over.task } }, { card: { capabilities: { streaming: false } } });
  const page = await open();
  await page.sayAndWait('Plan');
  const last = page.messages.at(-1);
  expect(last && textOf(last)).toBe('The planHave a nice trip.');
});
