// @vitest-environment happy-dom
/** The runtime for assistant-ui with an agent of A2A 0.3. */
import { createElement, Fragment } from 'react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { useA2AArtifacts, useA2ARuntime, useA2ATask } from '../../src/assistant-ui/index.js';
import type { ScriptStep } from '../../src/testing/scripted-executor.js';
import { asV03, versionsOf } from '../client/v03-card.js';
import { AGENT_URL, observe, serveSteps } from './agents.js';
import { mount, textOf, unmountAll, until } from './stage.js';

afterEach(unmountAll);

const say = (text: string): ScriptStep => ({ do: 'append', artifactId: 'answer', text });

describe.each(['JSONRPC', 'HTTP+JSON'] as const)('D50, U14: useA2ARuntime with an agent of 0.3 over %s', (binding) => {
  function serve(...[steps, turns]: Parameters<typeof serveSteps>) {
    const { executor, fetch } = serveSteps(steps, turns);
    const noting = versionsOf(asV03(fetch, binding));
    vi.stubGlobal('fetch', noting.fetch);
    return { executor, versions: noting.versions };
  }

  test('D50: the answer is shown chunk by chunk, with its task and its artifacts', async () => {
    const { executor, versions } = serve([say('Hello '), { do: 'flush' }, { do: 'gate', name: 'rest' }, say('there.'), { do: 'complete' }]);
    const task = observe(useA2ATask);
    const artifacts = observe(useA2AArtifacts);
    const page = await mount(
      useA2ARuntime,
      { baseUrl: AGENT_URL },
      { children: createElement(Fragment, undefined, task.element, artifacts.element) },
    );
    await page.say('Hi');
    await until(() => page.lastText === 'Hello ');
    executor.open('rest');
    await until(() => !page.isRunning);
    expect(page.messages.map(textOf)).toEqual(['Hi', 'Hello there.']);
    expect(page.messages[1]?.status).toEqual({ type: 'complete', reason: 'stop' });
    expect(task.last?.status.state).toBe('completed');
    expect(artifacts.last).toHaveLength(1);
    expect([...new Set(versions)]).toEqual(['0.3']);
  });

  test('D50: a question is shown, and the next message is its reply', async () => {
    const { executor } = serve([{ do: 'requireInput', prompt: 'Which city?' }, say('See Lisbon.'), { do: 'complete' }]);
    const page = await mount(useA2ARuntime, { baseUrl: AGENT_URL });
    await page.sayAndWait('Plan');
    expect(page.lastText).toBe('Which city?');
    await page.sayAndWait('Lisbon');
    expect(page.lastText).toBe('See Lisbon.');
    expect([executor.answers, executor.runs.length]).toEqual([['Lisbon'], 1]);
  });

  test('D50: cancel stops the task at the agent', async () => {
    const { executor } = serve([say('Hel'), { do: 'flush' }, { do: 'gate', name: 'never' }]);
    const page = await mount(useA2ARuntime, { baseUrl: AGENT_URL });
    await page.say('Hi');
    await until(() => page.lastText === 'Hel');
    page.runtime.thread.cancelRun();
    await until(() => !page.isRunning);
    await until(() => executor.runs[0]?.signal.aborted === true);
    expect(page.messages[1]?.status).toMatchObject({ type: 'incomplete', reason: 'cancelled' });
  });
});
