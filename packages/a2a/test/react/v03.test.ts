// @vitest-environment happy-dom
/** A chat on a page with an agent of A2A 0.3. */
import { createElement } from 'react';
import { describe, expect, test } from 'vitest';
import { useArtifacts, useQuestion, useTask } from '../../src/react/index.js';
import { type ScriptStep, scriptedExecutor } from '../../src/testing/scripted-executor.js';
import { asV03, versionsOf } from '../client/v03-card.js';
import { openChat, serveAgent } from './chat.js';

const say = (text: string): ScriptStep => ({ do: 'append', artifactId: 'answer', text });

describe.each(['JSONRPC', 'HTTP+JSON'] as const)('D50: a chat with an agent of 0.3 over %s', (binding) => {
  function serve(steps: readonly ScriptStep[]) {
    const executor = scriptedExecutor(steps);
    const served = serveAgent(executor);
    const { fetch, versions } = versionsOf(asV03(served.fetch, binding));
    return { executor, versions, streams: served.streams, props: { url: 'http://test', clientOptions: { fetch } } };
  }

  test('D50: shows the answer while it arrives, with its task and artifacts', async () => {
    const { executor, props, versions } = serve([say('Hel'), { do: 'gate', name: 'more' }, say('lo'), { do: 'complete' }]);
    const Shown = () => `[${useTask()?.status.state} ${useArtifacts().length}]`;
    const { page, live, send, answer } = await openChat(props, { more: createElement(Shown) });
    await send('hi');
    await page.until(() => page.text.startsWith('hiHel['));
    expect([live().isRunning, answer().status.type]).toEqual([true, 'running']);
    await page.act(() => executor.open('more'));
    await page.until(() => !live().isRunning);
    expect(page.text).toBe('hiHello[TASK_STATE_COMPLETED 1]');
    expect(answer().status).toEqual({ type: 'complete', reason: 'stop' });
    expect([live().card?.name, [...new Set(versions)]]).toEqual(['Chatty', ['0.3']]);
    await page.leave();
  });

  test('D50: shows the question of the agent, and the reply goes to the same task', async () => {
    const { executor, props } = serve([{ do: 'requireInput', prompt: 'Which cake?' }, say('One cake.'), { do: 'complete' }]);
    const Asked = () => `[${useQuestion()?.prompt ?? ''}]`;
    const { page, live, send } = await openChat(props, { more: createElement(Asked) });
    await send('A cake');
    await page.until(() => page.text.endsWith('[Which cake?]'));
    const { question } = live();
    await send('Sacher', { answers: question?.messageId ?? '' });
    await page.until(() => !live().isRunning);
    expect(page.text.endsWith('One cake.[]')).toBe(true);
    expect(executor.answers).toEqual(['Sacher']);
    expect(executor.runs).toHaveLength(1);
    await page.leave();
  });

  test('D50: cancel ends the answer on the page and the task at the agent', async () => {
    const { props, streams, executor } = serve([say('Hel'), { do: 'gate', name: 'never' }]);
    const { page, live, send, answer } = await openChat(props);
    await send('hi');
    await page.until(() => page.text === 'hiHel');
    await page.act(() => live().cancel());
    expect(answer().status).toEqual({ type: 'incomplete', reason: 'cancelled' });
    await page.until(() => live().task?.status.state === 'TASK_STATE_CANCELED');
    expect([live().isRunning, streams.openStreams, executor.runs[0]?.signal.aborted]).toEqual([false, 0, true]);
    await page.leave();
  });

  test('D50: shows why a task failed', async () => {
    const { props } = serve([say('half'), { do: 'fail', text: 'no more flour' }]);
    const { page, live, send, answer } = await openChat(props);
    await send('hi');
    await page.until(() => !live().isRunning && live().messages.length === 2);
    expect(answer().status).toMatchObject({ type: 'incomplete', reason: 'error', error: { message: 'no more flour' } });
    await page.leave();
  });
});
