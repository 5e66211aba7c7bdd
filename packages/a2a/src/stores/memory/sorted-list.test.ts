import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../testing/index.js';
import { SortedList } from './sorted-list.js';

interface Item {
  readonly key: number;
}

const byKey = (a: Item, b: Item): number => a.key - b.key;

/** Compares the list with an array that is sorted again after every change. */
function expectSame(list: SortedList<Item>, model: readonly Item[], cut: number): void {
  const sorted = [...model].sort(byKey);
  const inFront = ({ key }: Item): boolean => key < cut;
  expect(list.size).toBe(sorted.length);
  expect(list.first).toBe(sorted[0]);
  expect([...list.descending()]).toEqual(sorted.toReversed());
  expect([...list.descending(inFront)]).toEqual(sorted.filter(inFront).toReversed());
  expect(list.rank(inFront)).toBe(sorted.filter(inFront).length);
}

describe('P47: a sorted list', () => {
  test('P47: it agrees with a sorted array after random changes', () => {
    const change = fc.record({ key: fc.nat(60), remove: fc.boolean() });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 200 }), fc.nat(60), (changes, cut) => {
        const list = new SortedList<Item>(byKey);
        const model = new Map<number, Item>();
        for (const { key, remove } of changes) {
          const known = model.get(key);
          if (remove) {
            expect(list.delete(known ?? { key })).toBe(known !== undefined);
            model.delete(key);
          } else if (known === undefined) {
            const item = { key };
            list.add(item);
            model.set(key, item);
          }
        }
        expectSame(list, [...model.values()], cut);
      }),
    );
  });

  test('P47: it agrees with a sorted array while thousands of items are added in random order and deleted', () => {
    const random = seededRandom(7);
    const items = Array.from({ length: 5_000 }, (_, key) => ({ key })).sort(() => random() - 0.5);
    const list = new SortedList<Item>(byKey);
    for (const item of items) list.add(item);
    expectSame(list, items, 1_234);
    for (const item of items.splice(0, 4_800)) expect(list.delete(item)).toBe(true);
    expectSame(list, items, 2_345);
    for (const item of items.splice(0)) list.delete(item);
    expectSame(list, [], 1);
  });

  test('P47: an equal item with another identity is not deleted', () => {
    const list = new SortedList<Item>(byKey);
    list.add({ key: 1 });
    expect(list.delete({ key: 1 })).toBe(false);
    expect(list.delete({ key: 2 })).toBe(false);
    expect(list.size).toBe(1);
  });

  test('P47: the cost of a change or a page hardly grows with the list', () => {
    let comparisons = 0;
    const list = new SortedList<Item>((a, b) => {
      comparisons += 1;
      return byKey(a, b);
    });
    const workAt = (size: number): number => {
      while (list.size < size) list.add({ key: list.size });
      comparisons = 0;
      const inserted = { key: size / 2 - 0.5 };
      list.add(inserted);
      list.delete(inserted);
      const page = list.descending((item) => {
        comparisons += 1;
        return item.key < size / 2;
      });
      for (let taken = 0; taken < 50; taken += 1) page.next();
      return comparisons;
    };
    expect(workAt(1_000)).toBeGreaterThan(0);
    expect(workAt(100_000)).toBeLessThan(100);
  });
});
