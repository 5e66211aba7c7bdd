/** Checks what `context.conversation()` returns, for every store. */
import { expect } from 'vitest';
import type { Message, Part } from '../src/protocol/types.js';
import type { Agent, ConversationQuery, EarlierMessage, EarlierText, Execute, TaskStore } from '../src/server/index.js';
import { createAgent } from '../src/server/index.js';
import { callerOf, say } from './harness.js';

/** A message in short form: its direction, its text and its task. */
const short = ({ role, parts }: Message): string =>
  `${role === 'ROLE_USER' ? '>' : '<'} ${parts.map((part) => part.text ?? JSON.stringify(part.data ?? part.raw)).join(' | ')}`;

/** An agent that answers in several ways and records the conversation that each turn got. */
export function rememberer(store: TaskStore, query: ConversationQuery = {}) {
  const heard = new Map<string, readonly EarlierMessage[]>();
  const texts = new Map<string, readonly EarlierText[]>();
  const execute: Execute = async function* (context, events) {
    heard.set(context.text, await context.conversation(query));
    texts.set(context.text, await context.conversation({ ...query, format: 'text' }));
    switch (context.text) {
      case 'stream':
        yield 'one ';
        yield 'two ';
        yield 'three';
        return;
      case 'work':
        await events.working('on it');
        yield 'made';
        await events.complete('that is all');
        return;
      case 'parts':
        await events.appendText('first', 'a');
        await events.appendText('first', 'b');
        await events.data({ n: 1 }, { id: 'second' });
        await events.appendText('third', 'c');
        return;
      case 'ask':
        yield 'half';
        await events.status('TASK_STATE_INPUT_REQUIRED', 'which one?');
        return;
      default:
        yield `echo ${context.text}`;
    }
  };
  const agent = createAgent({ name: 'Rememberer', store, execute });
  return { agent, heard, texts };
}

export function talk(agent: Agent, contextId = 'c') {
  const caller = callerOf(agent);
  return (content: string | readonly Part[], fields: Partial<Message> = {}) => caller.task(say(content, { contextId, ...fields }));
}

/** Both sides, oldest first, each message with its task. */
export async function checkBothSides(store: TaskStore): Promise<void> {
  const { agent, heard, texts } = rememberer(store);
  const tell = talk(agent);
  const ids: string[] = [];
  for (const text of ['stream', 'work', 'parts', 'ask']) ids.push((await tell(text)).id);
  await talk(agent, 'elsewhere')('not here');
  await callerOf(agent, { id: 'ann' }).task(say('a secret', { contextId: 'c' }));
  await tell('last');
  const messages = heard.get('last') ?? [];
  expect(messages.map(short)).toEqual([
    '> stream',
    '< one two three',
    '> work',
    '< on it',
    '< made',
    '< that is all',
    '> parts',
    '< ab | {"n":1} | c',
    '> ask',
    '< half',
    '< which one?',
  ]);
  const [stream, work, parts, ask] = ids;
  expect(messages.map(({ taskId }) => taskId)).toEqual([stream, stream, work, work, work, work, parts, parts, ask, ask, ask]);
  expect(messages.every(({ contextId }) => contextId === 'c')).toBe(true);
  expect(new Set(messages.map(({ messageId }) => messageId)).size).toBe(messages.length);
  expect(texts.get('last')).toEqual([
    { role: 'user', text: 'stream' },
    { role: 'agent', text: 'one two three' },
    { role: 'user', text: 'work' },
    { role: 'agent', text: 'on it' },
    { role: 'agent', text: 'made' },
    { role: 'agent', text: 'that is all' },
    { role: 'user', text: 'parts' },
    { role: 'agent', text: 'ab\nc' },
    { role: 'user', text: 'ask' },
    { role: 'agent', text: 'half' },
    { role: 'agent', text: 'which one?' },
  ]);
  expect(heard.get('a secret')).toEqual([]);
  await agent.close();
}
