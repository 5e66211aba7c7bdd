import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sortedJson, story } from '../../test/arbitraries.js';
import { applyEvent, createDraft, type TaskDraft } from './apply-event.js';
import { fromTaskText, taskJson, taskPieces, toTaskText } from './task-text.js';
import type { Message } from './types.js';

const draftOf = story.map(({ task, events }) => {
  const draft = createDraft(task);
  for (const event of events) applyEvent(draft, event);
  return draft;
});

const message = (messageId: string): Message => ({ messageId, role: 'ROLE_USER', parts: [{ text: 'a\nb\u2028"c"\r' }] });

/** The JSON of the task, created directly. */
function plainJson({ artifacts, history, ...head }: TaskDraft): unknown {
  return JSON.parse(JSON.stringify({ ...head, ...(artifacts.length > 0 && { artifacts }), ...(history.length > 0 && { history }) }));
}

describe('D8: a task as three texts', () => {
  test('D8: converting to text and back gives the same draft', () => {
    fc.assert(
      fc.property(draftOf, (draft) => {
        const text = toTaskText(draft);
        expect(sortedJson(fromTaskText(text))).toBe(sortedJson(draft));
        expect(toTaskText(fromTaskText(text))).toEqual(text);
      }),
    );
  });

  test('D8: folding can continue after a conversion to text and back', () => {
    fc.assert(
      fc.property(story, fc.nat(), ({ task, events }, cut) => {
        const whole = createDraft(task);
        let resumed = createDraft(task);
        events.forEach((event, index) => {
          if (index === cut % (events.length + 1)) resumed = fromTaskText(toTaskText(resumed));
          applyEvent(whole, event);
          applyEvent(resumed, event);
        });
        expect(toTaskText(resumed)).toEqual(toTaskText(whole));
      }),
    );
  });

  test('D8: the concatenated JSON equals that of the object', () => {
    fc.assert(
      fc.property(draftOf, (draft) => {
        expect(sortedJson(JSON.parse(taskJson(toTaskText(draft))))).toBe(sortedJson(plainJson(draft)));
      }),
    );
  });

  test('F63: the pieces of a long task are its JSON, and a long line is one piece', () => {
    const lengths = fc.array(fc.constantFrom(0, 1, 1_000, 70_000, 200_000), { maxLength: 8 });
    const toLines = (sizes: readonly number[]) => sizes.map((size) => JSON.stringify('x'.repeat(size))).join('\n');
    fc.assert(
      fc.property(lengths, lengths, (artifacts, history) => {
        const text = { head: '{"id":"t"}', history: toLines(history), artifacts: toLines(artifacts) };
        expect(taskPieces(text).join('') === taskJson(text)).toBe(true);
      }),
      { numRuns: 50 },
    );
    const pieces = taskPieces({ head: '{"id":"t"}', history: '', artifacts: toLines([200_000, 200_000]) });
    expect(pieces.map(({ length }) => length)).toEqual([9, 14, 200_002, 1, 200_002, 1, 1]);
  });

  test('D8: history is one JSON value per line, for any content of the messages', () => {
    const draft = createDraft({ id: 't', status: { state: 'TASK_STATE_WORKING' }, history: [message('a'), message('b')] });
    expect(toTaskText(draft).history.split('\n')).toHaveLength(2);
    expect(JSON.parse(taskJson(toTaskText(draft)))).toEqual(plainJson(draft));
  });
});

describe('P46: historyLength cuts at newlines', () => {
  const names = ['a', 'b', 'c'];
  const text = toTaskText(createDraft({ id: 't', status: { state: 'TASK_STATE_WORKING' }, history: names.map(message) }));
  const kept = (historyLength: number | undefined) =>
    (JSON.parse(taskJson(text, { historyLength })) as { history?: Message[] }).history?.map(({ messageId }) => messageId);

  test.each([
    [undefined, ['a', 'b', 'c']],
    [0, undefined],
    [1, ['c']],
    [2, ['b', 'c']],
    [3, ['a', 'b', 'c']],
    [4, ['a', 'b', 'c']],
    [2 ** 31 - 1, ['a', 'b', 'c']],
  ])('P46: %s gives %s', (historyLength, wanted) => {
    expect(kept(historyLength)).toEqual(wanted);
  });

  test('P46: an empty history stays empty', () => {
    const empty = toTaskText(createDraft({ id: 't', status: { state: 'TASK_STATE_WORKING' } }));
    for (const historyLength of [undefined, 0, 1])
      expect(taskJson(empty, { historyLength })).toBe('{"id":"t","status":{"state":"TASK_STATE_WORKING"}}');
  });
});

describe('P47: artifacts in lists', () => {
  const status = { state: 'TASK_STATE_WORKING' } as const;
  const without = toTaskText(createDraft({ id: 't', status }));
  const artifact = { artifactId: 'a', parts: [{ text: 'x' }] };
  const withOne = toTaskText(createDraft({ id: 't', status, artifacts: [artifact] }));

  test.each([
    [false, undefined, undefined],
    [true, undefined, [artifact]],
    [undefined, undefined, [artifact]],
    ['always' as const, [], [artifact]],
  ])('P47: %s gives %j for none and %j for one', (artifacts, none, one) => {
    expect(JSON.parse(taskJson(without, { artifacts })).artifacts).toEqual(none);
    expect(JSON.parse(taskJson(withOne, { artifacts })).artifacts).toEqual(one);
  });
});
