import { describe, expect, test } from 'vitest';
import { taskWith } from '../../test/client/scripted-agent.js';
import { TASK_STATES } from '../protocol/task-state.js';
import type { Message, Task, TaskState } from '../protocol/types.js';
import { collectText, taskReply, toReply } from './reply.js';

const says = (text: string): Message => ({ messageId: 'm', role: 'ROLE_AGENT', parts: [{ text }] });
const artifact = (...texts: string[]) => ({ artifactId: texts.join(), parts: texts.map((text) => ({ text })) });
const taskIn = (state: TaskState, message: string | undefined, ...artifacts: NonNullable<Task['artifacts']>): Task =>
  taskWith({ status: { state, ...(message !== undefined && { message: says(message) }) }, artifacts });

describe('the text of an answer', () => {
  test.each<[string, Task, string]>([
    ['the pieces of an artifact', taskIn('TASK_STATE_COMPLETED', undefined, artifact('a', 'b')), 'ab'],
    [
      'all artifacts in order, with a blank line between them',
      taskIn('TASK_STATE_COMPLETED', undefined, artifact('a'), artifact('b')),
      'a\n\nb',
    ],
    ['no blank line for an artifact without text', taskIn('TASK_STATE_COMPLETED', undefined, artifact(), artifact('b'), artifact('')), 'b'],
    [
      'no second blank line after an existing one',
      taskIn('TASK_STATE_COMPLETED', undefined, artifact('a\n'), artifact('b\n\n'), artifact('c')),
      'a\n\nb\n\nc',
    ],
    [
      'a final message that repeats all artifacts without blank lines',
      taskIn('TASK_STATE_COMPLETED', 'ab', artifact('a'), artifact('b')),
      'a\n\nb',
    ],
    [
      'a final message that repeats all artifacts with blank lines',
      taskIn('TASK_STATE_COMPLETED', 'a\n\nb', artifact('a'), artifact('b')),
      'a\n\nb',
    ],
    [
      'a final sentence is separated by a blank line',
      taskIn('TASK_STATE_COMPLETED', 'Have fun.', artifact('the plan')),
      'the plan\n\nHave fun.',
    ],
    ['a final message that repeats an artifact is omitted', taskIn('TASK_STATE_COMPLETED', 'ab', artifact('a', 'b')), 'ab'],
    ['a final message with new text is included', taskIn('TASK_STATE_COMPLETED', 'done', artifact('a', 'b')), 'abdone'],
    ['only a final message', taskIn('TASK_STATE_COMPLETED', 'done'), 'done'],
    ['nothing', taskIn('TASK_STATE_COMPLETED', undefined), ''],
    ['no question', taskIn('TASK_STATE_INPUT_REQUIRED', 'Which city?', artifact('a')), 'a'],
    ['no request to sign in', taskIn('TASK_STATE_AUTH_REQUIRED', 'Sign in', artifact('a')), 'a'],
    ['no progress', taskIn('TASK_STATE_WORKING', 'Looking at the map', artifact('a')), 'a'],
    ['no bytes and no data', taskWith({ artifacts: [{ artifactId: 'x', parts: [{ text: 'a' }, { data: 1 }, { raw: 'AA==' }] }] }), 'a'],
  ])('case: %s', (_, task, text) => {
    expect(collectText(task)).toBe(text);
  });
});

describe('building a Reply', () => {
  test('every state has its finish reason', () => {
    const reasons = TASK_STATES.map((state) => taskReply(taskIn(state, undefined)).finishReason);
    expect(reasons).toEqual([
      'working',
      'working',
      'working',
      'completed',
      'failed',
      'canceled',
      'input_required',
      'rejected',
      'auth_required',
    ]);
  });

  test('an empty context id counts as absent, and an empty response gives no reply', () => {
    expect(toReply({ task: taskWith({ contextId: '' }) })?.contextId).toBeUndefined();
    expect(toReply({ message: { ...says('hi'), contextId: '' } })?.contextId).toBeUndefined();
    expect(toReply({})).toBeUndefined();
  });
});
