import { describe, expect, test } from 'vitest';
import { RecentHistories } from './task-log.js';

const ref = (id: string) => ({ agent: '', tenant: '', owner: '', id });
const long = (chars: number) => ({ messages: 1, text: 'x'.repeat(chars) });

describe('F72: the histories that a node has read lately', () => {
  test('F72: the least recently used are dropped when all together are too long', () => {
    const histories = new RecentHistories(100_000);
    for (const id of ['a', 'b', 'c']) histories.keep(ref(id), long(30_000));
    histories.keep(ref('a'), long(40_000));
    expect(histories.find(ref('b'))?.text).toHaveLength(30_000);
    histories.keep(ref('d'), long(20_000));
    expect(['a', 'b', 'c', 'd'].map((id) => histories.find(ref(id))?.text.length)).toEqual([40_000, undefined, 30_000, 20_000]);
  });

  test('F72: a history that is short, or longer than the cache, is not kept, and an ended task is forgotten', () => {
    const histories = new RecentHistories(100_000);
    histories.keep(ref('short'), long(100));
    histories.keep(ref('long'), long(100_001));
    histories.keep(ref('ended'), long(50_000));
    histories.forget(ref('ended'));
    histories.forget(ref('unknown'));
    expect(['short', 'long', 'ended'].map((id) => histories.find(ref(id)))).toEqual([undefined, undefined, undefined]);
    histories.keep(ref('a'), long(100_000));
    expect(histories.find(ref('a'))).toBeDefined();
  });
});
