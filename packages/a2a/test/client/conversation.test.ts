/** A conversation over our own server, in this process. */
import { describe, expect, test } from 'vitest';
import type { Conversation } from '../../src/client/conversation/conversation.js';
import { createConversation } from '../../src/client/conversation/create-conversation.js';
import type { AgentMessage } from '../../src/client/conversation/message.js';
import type { ConversationOptions } from '../../src/client/conversation/options.js';
import { createClient } from '../../src/client/create-client.js';
import type { ClientOptions } from '../../src/client/options.js';
import { textOf } from '../../src/client/reply.js';
import { type ScriptStep, scriptedExecutor } from '../../src/testing/scripted-executor.js';
import { serve } from './served-agent.js';

const words = (...texts: string[]): ScriptStep[] => texts.map((text) => ({ do: 'append', artifactId: 'answer', text }));

function talk(
  steps: readonly ScriptStep[],
  more: {
    turns?: readonly (readonly ScriptStep[])[];
    cancel?: readonly ScriptStep[];
    conversation?: ConversationOptions;
    client?: ClientOptions;
  } = {},
) {
  const { turns, cancel, conversation: options = {}, client: clientOptions = {} } = more;
  const executor = scriptedExecutor(steps, { ...(turns && { turns }), ...(cancel && { cancel }) });
  const served = serve({ executor });
  const client = createClient('http://test', { ...served.options, ...clientOptions });
  const errors: unknown[] = [];
  const conversation = createConversation(client, { onError: (error) => void errors.push(error), ...options });
  const operations = () => served.requests.map(({ operation }) => operation).filter((name) => name !== 'GetAgentCard');
  return { conversation, executor, requests: served.requests, operations, errors, client };
}

const shown = ({ state }: Conversation) =>
  state.messages.map(({ role, parts }) => `${role === 'ROLE_USER' ? 'user' : 'agent'}: ${textOf(parts)}`);
const until = async (conversation: Conversation, is: () => boolean): Promise<void> => {
  if (is()) return;
  await new Promise<void>((resolve) => {
    const stop = conversation.subscribe(() => {
      if (!is()) return;
      stop();
      resolve();
    });
  });
};
const last = ({ state }: Conversation): AgentMessage => state.messages.at(-1) as AgentMessage;

describe('a turn', () => {
  test('a message is sent, and its answer is shown as it comes', async () => {
    const { conversation } = talk([{ do: 'working', text: 'Thinking' }, ...words('Hello ', 'world'), { do: 'complete' }]);
    const answer = await conversation.send('Hi');
    expect(shown(conversation)).toEqual(['user: Hi', 'agent: ThinkingHello world']);
    expect(answer).toBe(conversation.state.messages[1]);
    expect(answer?.parts).toEqual([{ text: 'Thinking' }, { text: 'Hello world' }]);
    expect(answer?.status).toEqual({ type: 'complete', reason: 'stop' });
    expect(conversation.state).toMatchObject({ isRunning: false, connection: { state: 'idle' } });
    expect(conversation.state.contextId).toBe(answer?.task?.contextId);
    expect(conversation.state.messages[0]).toMatchObject({ delivery: 'sent' });
  });

  test('U26: a question is answered on its task, and the next message begins another', async () => {
    const { conversation, requests } = talk([
      ...words('One. '),
      { do: 'requireInput', prompt: 'Where?' },
      ...words('Two.'),
      { do: 'complete' },
    ]);
    const asked = await conversation.send('Hi');
    expect(asked?.status).toEqual({ type: 'requires-action', reason: 'interrupt', want: 'input', prompt: 'Where?' });
    expect(conversation.state.question).toMatchObject({ messageId: asked?.id, prompt: 'Where?' });
    const answer = await conversation.send('Lisbon', { answers: asked?.id ?? '' });
    expect(shown(conversation)).toEqual(['user: Hi', 'agent: One. Where?', 'user: Lisbon', 'agent: Two.']);
    expect(answer?.task?.id).toBe(asked?.task?.id);
    expect(answer?.artifacts.map(({ parts }) => textOf(parts))).toEqual(['One. Two.']);
    expect(conversation.state.messages[1]).toMatchObject({ status: { type: 'complete' } });
    void requests;
  });

  test('U28: cancel', async () => {
    const { conversation, operations } = talk([...words('One '), { do: 'gate', name: 'go' }, ...words('two'), { do: 'complete' }], {
      cancel: [{ do: 'canceled' }],
    });
    const sent = conversation.send('Hi');
    await until(conversation, () => last(conversation).parts.length > 0);
    const cancelled = conversation.cancel();
    expect(last(conversation).status).toEqual({ type: 'incomplete', reason: 'cancelled' });
    expect((await sent)?.status).toEqual({ type: 'incomplete', reason: 'cancelled' });
    await cancelled;
    expect(operations()).toContain('CancelTask');
    expect(last(conversation).task?.status.state).toBe('TASK_STATE_CANCELED');
  });
});
