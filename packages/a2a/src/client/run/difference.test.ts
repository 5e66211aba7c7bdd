import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { joinTextParts } from '../../protocol/text-parts.js';
import type { Part, Task } from '../../protocol/types.js';
import { newArtifactParts, withWhatIsMissing } from './difference.js';
import { Replays } from './replays.js';
import { TaskCopy } from './task-copy.js';

const text = (...texts: string[]): Part[] => texts.map((one) => ({ text: one }));

function taskWith(artifacts: Readonly<Record<string, readonly Part[]>>, more: Partial<Task> = {}): Task {
  const list = Object.entries(artifacts).map(([artifactId, parts]) => ({ artifactId, parts }));
  return { id: 't', status: { state: 'TASK_STATE_WORKING' }, artifacts: list, ...more };
}

const between = (told: Readonly<Record<string, readonly Part[]>>, now: Readonly<Record<string, readonly Part[]>>) =>
  newArtifactParts(new TaskCopy(taskWith(told)), taskWith(now));

describe('G31: what a snapshot adds', () => {
  const cases: [string, readonly Part[], readonly Part[], { parts: readonly Part[]; append: boolean } | undefined][] = [
    ['nothing', text('a', 'b'), text('a', 'b'), undefined],
    ['further parts', text('a'), text('a', 'b', 'c'), { parts: text('b', 'c'), append: true }],
    ['more text in the last part', text('a', 'b'), text('a', 'bcd'), { parts: text('cd'), append: true }],
    ['pieces that the agent has joined', text('Hel', 'lo'), text('Hello world'), { parts: text(' world'), append: true }],
    ['pieces that the agent has joined, and nothing more', text('Hel', 'lo'), text('Hello'), undefined],
    ['pieces that the agent splits differently', text('Hello'), text('He', 'llo ', 'you'), { parts: text(' ', 'you'), append: true }],
    ['a part after joined pieces', text('a', 'b'), [{ text: 'ab' }, { data: 1 }], { parts: [{ data: 1 }], append: true }],
    ['a different text', text('a'), text('b'), { parts: text('b'), append: false }],
    ['less than was delivered', text('a', 'b'), text('a'), { parts: text('a'), append: false }],
    ['empty texts', text('', 'a'), text('', 'a', ''), undefined],
    ['empty texts before a further part', text('a'), [...text('a', ''), { data: 1 }], { parts: [{ data: 1 }], append: true }],
    ['empty texts before a delivered part', [{ text: 'ab' }, { data: 1 }], [...text('a', 'b', ''), { data: 1 }], undefined],
    ['omitted empty texts', text('a', '', 'b'), text('a', 'b'), undefined],
    ['equal data', [{ data: { a: [1, null] } }], [{ data: { a: [1, null] } }, { url: 'u' }], { parts: [{ url: 'u' }], append: true }],
    ['different data', [{ data: { a: [1] } }], [{ data: { a: [2] } }], { parts: [{ data: { a: [2] } }], append: false }],
    ['an object in place of a list', [{ data: [] }], [{ data: {} }], { parts: [{ data: {} }], append: false }],
    [
      'data in the middle of a text',
      [{ text: 'a' }, { data: 1 }],
      [{ text: 'ab' }, { data: 1 }],
      { parts: [{ text: 'ab' }, { data: 1 }], append: false },
    ],
    ['a text in place of data', [{ data: 1 }], text('a'), { parts: text('a'), append: false }],
  ];
  for (const [name, told, now, expected] of cases) {
    test(name, () => {
      expect(between({ answer: told }, { answer: now })).toEqual(expected === undefined ? [] : [{ artifactId: 'answer', ...expected }]);
    });
  }

  test('without a known task, everything is new', () => {
    expect(newArtifactParts(undefined, taskWith({ a: text('x'), b: text('y') }))).toEqual([
      { artifactId: 'a', parts: text('x'), append: false },
      { artifactId: 'b', parts: text('y'), append: false },
    ]);
  });

  test('if an id appears twice, the last artifact counts', () => {
    const snapshot = {
      ...taskWith({}),
      artifacts: [
        { artifactId: 'a', parts: text('x') },
        { artifactId: 'a', parts: text('y') },
      ],
    };
    expect(newArtifactParts(undefined, snapshot)).toEqual([{ artifactId: 'a', parts: text('y'), append: false }]);
  });
});

/** One content, split into parts in two ways: some letters, a number for data, and the split points of each side. */
const pieces = fc.array(fc.oneof(fc.string({ maxLength: 5 }), fc.nat(3)), { maxLength: 6 });
const cuts = fc.array(fc.nat(4), { minLength: 1, maxLength: 8 });

function cutParts(content: readonly (string | number)[], sizes: readonly number[]): Part[] {
  let turn = 0;
  return content.flatMap((piece): Part[] => {
    if (typeof piece === 'number') return [{ data: piece }];
    const parts: Part[] = [];
    for (let at = 0; at < piece.length; ) {
      const size = sizes[turn++ % sizes.length] ?? 0; // 0 makes an empty text, followed by a piece of one character
      parts.push({ text: piece.slice(at, at + size) });
      if (size === 0) parts.push({ text: piece.slice(at, at + 1) });
      at += Math.max(size, 1);
    }
    return parts;
  });
}

const withoutEmpty = (parts: readonly Part[]) => joinTextParts(parts).filter((part) => part.text !== '');

test('D48: for any delivered prefix and any split on either side, the rest is delivered once', () => {
  fc.assert(
    fc.property(pieces, pieces, cuts, cuts, (first, second, ours, theirs) => {
      const told = cutParts(first, ours);
      const now = cutParts([...first, ...second], theirs);
      const [news] = between({ answer: told }, { answer: now });
      expect(news?.append ?? true).toBe(true);
      expect(withoutEmpty([...told, ...(news?.parts ?? [])])).toEqual(withoutEmpty(now));
    }),
  );
});

test('D48: a finished artifact that is repeated with its text split differently is the same artifact', () => {
  const update = (parts: readonly Part[]) => ({ taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts }, lastChunk: true });
  const newParts = (told: readonly Part[], again: readonly Part[]) => {
    const replays = new Replays(['a']);
    replays.markGap();
    return replays.newIn(update(again), told).map(({ artifact, append = false }) => ({ parts: artifact.parts, append }));
  };
  expect(newParts(text('ab'), text('a', 'b'))).toEqual([]);
  expect(newParts(text('a', 'b'), text('ab'))).toEqual([]);
  expect(newParts(text('ab'), text('ab', 'c'))).toEqual([{ parts: text('c'), append: true }]);
  expect(newParts(text('a', 'b'), text('ac'))).toEqual([{ parts: text('ac'), append: false }]);
});

test('D34: an artifact that a snapshot omits stays, and so does an omitted history', () => {
  const message = { messageId: 'm', role: 'ROLE_USER', parts: text('hi') } as const;
  const known = new TaskCopy(taskWith({ a: text('x') }, { history: [message] }));
  const { artifacts, history } = withWhatIsMissing(known, taskWith({ b: text('y') }));
  expect(artifacts?.map(({ artifactId }) => artifactId)).toEqual(['a', 'b']);
  expect(history).toEqual([message]);
});
