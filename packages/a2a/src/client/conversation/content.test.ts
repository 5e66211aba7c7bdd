import { describe, expect, test } from 'vitest';
import type { Message, Part } from '../../protocol/types.js';
import { seamOf } from '../answer-text.js';
import { Content } from './content.js';

let ids = 0;
const says = (...parts: Part[]): Message => {
  ids += 1;
  return { messageId: `m${ids}`, role: 'ROLE_AGENT', parts };
};

describe('content of an answer', () => {
  test.each([
    ['Hello ', 'world', ''],
    ['Hello', ' world', ''],
    ['Hel', 'lo', ''],
    ['Looking at the map', 'Reading reviews', '\n\n'],
    ['Done.', 'and more', '\n\n'],
    ['They said "no."', 'and left', '\n\n'],
    ['Straße', 'Österreich', '\n\n'],
    ['3', '4', ''],
    ['', 'Hello', ''],
    ['Hello', '', ''],
    ['line\n', 'Next', ''],
  ])('7.3(4): between %j and %j comes %j', (end, text, seam) => {
    expect(seamOf(end, text)).toBe(seam);
  });

  test('a part without text stays separate, and the texts before and after it are not joined', () => {
    const content = new Content();
    content.say(says({ text: 'See ' }));
    content.say(says({ url: 'http://127.0.0.1/a.png' }, { text: 'caption' }));
    content.say(says({ text: ' more' }));
    expect(content.parts).toEqual([{ text: 'See ' }, { url: 'http://127.0.0.1/a.png' }, { text: 'caption more' }]);
  });

  test('parts of one message and texts of different types stay separate', () => {
    const content = new Content();
    content.say(says({ text: 'a' }, { text: 'b' }));
    content.say(says({ text: 'c', mediaType: 'text/markdown' }));
    content.say(says({ text: 'd', metadata: { x: 1 } }));
    expect(content.parts).toEqual([
      { text: 'a' },
      { text: 'b' },
      { text: 'c', mediaType: 'text/markdown' },
      { text: 'd', metadata: { x: 1 } },
    ]);
  });

  test('chunks of one artifact are joined into one text, and other parts keep their position', () => {
    const content = new Content();
    content.add('a', [{ text: 'One ' }], false);
    content.add('a', [{ text: 'two' }, { data: { n: 1 } }, { text: 'three' }], true);
    content.add('a', [{ text: ' four' }], true);
    expect(content.parts).toEqual([{ text: 'One two' }, { data: { n: 1 } }, { text: 'three four' }]);
    content.add('a', [{ text: 'anew' }], false);
    expect(content.parts).toEqual([{ text: 'anew' }]);
  });

  test('the list and its parts keep their identity until they change', () => {
    const content = new Content();
    content.add('a', [{ text: 'One' }, { data: 1 }], false);
    content.add('b', [{ text: 'Two' }], false);
    const before = content.parts;
    expect(content.parts).toBe(before);
    content.add('b', [{ text: '!' }], true);
    expect(content.parts).not.toBe(before);
    expect([content.parts[0] === before[0], content.parts[1] === before[1], content.parts[2] === before[2]]).toEqual([true, true, false]);
  });

  test('saved blocks record the order of messages and artifacts', () => {
    const content = new Content();
    content.say(says({ text: 'x' }));
    content.say(says({ text: 'y' }));
    content.add('a', [{ text: 'One' }], false);
    content.add('b', [{ text: 'rest' }], true);
    expect(content.keep()).toEqual([{ said: 2 }, { artifactId: 'a' }, { artifactId: 'b', parts: [{ text: 'rest' }] }]);
  });
});
