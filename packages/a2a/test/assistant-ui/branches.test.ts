// @vitest-environment happy-dom
import { ExportedMessageRepository } from '@assistant-ui/react';
import { createElement, Fragment } from 'react';
import { afterEach, describe, expect, test } from 'vitest';
import { useA2AArtifacts, useA2ARuntime, useA2ATask } from '../../src/assistant-ui/index.js';
import { AGENT_URL, COMPLETED, chunk, observe, serveScript, status, task, WORKING } from './agents.js';
import { mount, type Stage, textOf, unmountAll, until } from './stage.js';

afterEach(unmountAll);

/** An agent that numbers its answers. */
function serveCounting() {
  let count = 0;
  return serveScript({
    SendStreamingMessage: () => {
      count += 1;
      return { events: [task(WORKING), chunk(`Answer ${count}.`), status(COMPLETED)] };
    },
  });
}

type Page = Stage<Parameters<typeof useA2ARuntime>[0]>;

function texts(page: Page): string[] {
  return page.messages.map(textOf);
}

function messageAt(page: Page, index: number) {
  return page.runtime.thread.getMessageById(page.messages[index]?.id ?? '');
}

async function edit(page: Page, index: number, text: string): Promise<void> {
  const { composer } = messageAt(page, index);
  composer.beginEdit();
  composer.setText(text);
  composer.send();
  await until(() => texts(page)[index] === text && !page.isRunning);
}

async function talkTwice(): Promise<Page> {
  const page = await mount(useA2ARuntime, { baseUrl: AGENT_URL });
  await page.sayAndWait('One');
  await page.sayAndWait('Two');
  return page;
}

describe('branches', () => {
  test('U33: an edited message is a new branch, and the old branch remains', async () => {
    const agent = serveCounting();
    const page = await talkTwice();
    await edit(page, 2, 'Two again');
    expect(texts(page)).toEqual(['One', 'Answer 1.', 'Two again', 'Answer 3.']);
    expect(messageAt(page, 2).getState()).toMatchObject({ branchNumber: 2, branchCount: 2 });
    expect(agent.sent[2]).not.toHaveProperty('taskId');
    messageAt(page, 2).switchToBranch({ position: 'previous' });
    await until(() => texts(page)[2] === 'Two');
    expect(texts(page)).toEqual(['One', 'Answer 1.', 'Two', 'Answer 2.']);
  });

  test('U34: a reloaded answer is a sibling of the first one', async () => {
    const agent = serveCounting();
    const page = await talkTwice();
    messageAt(page, 3).reload();
    await until(() => page.lastText === 'Answer 3.' && !page.isRunning);
    expect(texts(page)).toEqual(['One', 'Answer 1.', 'Two', 'Answer 3.']);
    expect(messageAt(page, 3).getState()).toMatchObject({ branchNumber: 2, branchCount: 2 });
    expect(new Set(agent.sent.map(({ messageId }) => messageId)).size).toBe(3);
    expect(agent.sent[2]?.parts).toEqual(agent.sent[1]?.parts);
  });

  test('U34: a run without a parent message sends nothing', async () => {
    const agent = serveCounting();
    const page = await mount(useA2ARuntime, { baseUrl: AGENT_URL });
    await page.runtime.thread.startRun({ parentId: null });
    expect(agent.sent).toHaveLength(0);
    expect(page.messages).toHaveLength(0);
  });

  test('U35: nested branches can be navigated, and all of them are exported', async () => {
    serveCounting();
    const page = await talkTwice();
    await edit(page, 0, 'Uno');
    expect(texts(page)).toEqual(['Uno', 'Answer 3.']);
    messageAt(page, 1).reload();
    await until(() => page.lastText === 'Answer 4.' && !page.isRunning);
    messageAt(page, 0).switchToBranch({ position: 'previous' });
    await until(() => page.messages.length === 4);
    expect(texts(page)).toEqual(['One', 'Answer 1.', 'Two', 'Answer 2.']);
    messageAt(page, 0).switchToBranch({ position: 'next' });
    await until(() => page.messages.length === 2);
    expect(page.lastText).toBe('Answer 4.');
    expect(page.runtime.thread.export().messages).toHaveLength(7);
  });

  test('U35: a new message continues the branch that is shown', async () => {
    serveCounting();
    const page = await talkTwice();
    await edit(page, 2, 'Two again');
    messageAt(page, 2).switchToBranch({ position: 'previous' });
    await until(() => texts(page)[2] === 'Two');
    await page.sayAndWait('Three');
    expect(texts(page)).toEqual(['One', 'Answer 1.', 'Two', 'Answer 2.', 'Three', 'Answer 4.']);
  });
});

const OTHERS = [
  { role: 'user', content: 'Other' },
  { role: 'assistant', content: 'Yes' },
] as const;

describe('messages set by the application', () => {
  test('U38: an import replaces everything, clears task and artifacts, and keeps the context', async () => {
    const agent = serveCounting();
    const artifacts = observe(useA2AArtifacts);
    const current = observe(useA2ATask);
    const page = await mount(
      useA2ARuntime,
      { baseUrl: AGENT_URL },
      { children: createElement(Fragment, null, artifacts.element, current.element) },
    );
    await page.sayAndWait('One');
    await until(() => current.last?.status.state === 'completed');
    page.runtime.thread.import(ExportedMessageRepository.fromArray(OTHERS));
    await until(() => texts(page)[0] === 'Other');
    expect(texts(page)).toEqual(['Other', 'Yes']);
    await until(() => artifacts.last?.length === 0 && current.last === undefined);
    await page.sayAndWait('Two');
    expect(agent.sent[1]?.contextId).toBe('c-1');
    expect(texts(page)).toEqual(['Other', 'Yes', 'Two', 'Answer 2.']);
  });

  test('U35: an exported and imported thread has the same branches and shows the same one', async () => {
    serveCounting();
    const page = await talkTwice();
    await edit(page, 2, 'Two again');
    messageAt(page, 2).switchToBranch({ position: 'previous' });
    await until(() => texts(page)[2] === 'Two');
    const exported = page.runtime.thread.export();
    const next = await mount(useA2ARuntime, { baseUrl: AGENT_URL });
    next.runtime.thread.import(exported);
    await until(() => next.messages.length === 4);
    expect(texts(next)).toEqual(['One', 'Answer 1.', 'Two', 'Answer 2.']);
    messageAt(next, 2).switchToBranch({ position: 'next' });
    await until(() => texts(next)[2] === 'Two again');
    expect(next.lastText).toBe('Answer 3.');
  });

  test('U38: a deleted message is removed, and the other messages keep their order', async () => {
    serveCounting();
    const page = await talkTwice();
    await page.runtime.thread.deleteMessage(page.messages[3]?.id ?? '');
    await until(() => page.messages.length === 3);
    expect(texts(page)).toEqual(['One', 'Answer 1.', 'Two']);
    await page.runtime.thread.deleteMessage(page.messages[1]?.id ?? '');
    await until(() => page.messages.length === 2);
    expect(texts(page)).toEqual(['One', 'Two']);
    await page.sayAndWait('Three');
    expect(texts(page)).toEqual(['One', 'Two', 'Three', 'Answer 3.']);
  });

  test('U38: a reset with the same messages keeps the hidden branches', async () => {
    serveCounting();
    const page = await talkTwice();
    await edit(page, 2, 'Two again');
    page.runtime.thread.reset(page.messages);
    await until(() => page.messages.length === 4);
    expect(texts(page)).toEqual(['One', 'Answer 1.', 'Two again', 'Answer 3.']);
    expect(messageAt(page, 2).getState().branchCount).toBe(2);
  });
});
