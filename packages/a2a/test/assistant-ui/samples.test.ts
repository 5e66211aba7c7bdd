// @vitest-environment happy-dom
import type { AssistantRuntime } from '@assistant-ui/react';
import { createElement, Fragment } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { A2AError } from '../../src/protocol/errors.js';
import { createAgent } from '../../src/server/index.js';
import { faultFetch } from '../../src/testing/fault-fetch.js';
import { type ScriptStep, scriptedExecutor } from '../../src/testing/scripted-executor.js';
import { createTestFetch } from '../../src/testing/test-fetch.js';
import {
  AgentInfo,
  ArtifactList,
  clientSample,
  TaskStatus,
  tenantSample,
  useArtifactSample,
  useClientSample,
  useErrorSample,
} from './samples.js';
import { mount, unmountAll, until } from './stage.js';

afterEach(() => {
  unmountAll();
  vi.restoreAllMocks();
});

const ARTIFACT = { artifactId: 'a-1', name: 'report.txt', parts: [{ text: 'Sunny.' }] };
const STEPS: readonly ScriptStep[] = [
  {
    do: 'call',
    run: ({ taskId, contextId }, events) => events.publish({ taskId, contextId, artifact: ARTIFACT, append: false, lastChunk: true }),
  },
  { do: 'complete' },
];

/** A real agent at the address of the sample. */
function serve(url: string) {
  const skills = [
    { id: 'now', name: 'Now', description: 'The weather', tags: ['weather'] },
    { id: 'soon', name: 'Soon', description: 'The forecast', tags: ['weather'] },
  ];
  const agent = createAgent({ name: 'Weather', description: 'Looks out of the window.', skills, executor: scriptedExecutor(STEPS) });
  const fetch = createTestFetch(agent, { url });
  vi.stubGlobal('fetch', fetch);
  return fetch;
}

const SHOWN = createElement(Fragment, null, createElement(TaskStatus), createElement(ArtifactList), createElement(AgentInfo));

test('the documentation samples show a task, its artifacts and the card, and log a completed artifact', async () => {
  serve('http://localhost:9999');
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  const page = await mount(useArtifactSample as (options: object) => AssistantRuntime, {}, { children: SHOWN });
  await until(() => page.text.includes('Skills: Now, Soon'));
  expect(page.text).toContain('WeatherLooks out of the window.');
  await page.sayAndWait('Weather?');
  await until(() => /Task \S+: completed/.test(page.text) && page.text.includes('report.txt: 1 parts'));
  expect(log).toHaveBeenCalledWith('Artifact ready:', 'report.txt');
  expect(page.lastText).toBe('Sunny.');
});

test('the documentation samples receive errors with code, status and details', async () => {
  const error = new A2AError('TASK_NOT_FOUND', 'no such task');
  vi.stubGlobal('fetch', faultFetch({ url: 'http://localhost:9999', script: { SendStreamingMessage: { error } } }));
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  const page = await mount(useErrorSample as (options: object) => AssistantRuntime, {});
  await page.sayAndWait('Hi');
  expect(log.mock.calls.slice(0, 2)).toEqual([[404], ['NOT_FOUND']]);
  expect(log.mock.calls[2]?.[0]).toEqual([expect.objectContaining({ '@type': 'type.googleapis.com/google.rpc.ErrorInfo' })]);
});

test('a client created as in the documentation works with a runtime, with its headers, tenant and extensions', async () => {
  const fetch = faultFetch({
    url: 'https://my-agent.example.com',
    script: {
      SendStreamingMessage: {
        events: [{ message: { messageId: 'm-1', role: 'ROLE_AGENT', parts: [{ text: 'Hello.' }] } }],
        headers: { 'a2a-extensions': 'urn:a2a:ext:my-extension' },
      },
    },
  });
  vi.stubGlobal('fetch', fetch);
  const page = await mount(useClientSample, { client: clientSample() });
  await page.sayAndWait('Hi');
  expect(page.lastText).toBe('Hello.');
  const sent = fetch.requests.find(({ operation }) => operation === 'SendStreamingMessage');
  expect(sent?.headers).toMatchObject({
    authorization: 'Bearer <token>',
    'a2a-extensions': expect.stringContaining('urn:a2a:ext:my-extension'),
  });
  expect(`${sent?.path} ${sent?.body}`).toContain('my-org');
  expect(tenantSample()).toBeInstanceOf(Object);
});
