import { describe, expect, test } from 'vitest';
import { COMMON_SHARE, ShareCounter } from './share-counter.js';

const share = (key: string, factor = 1) => ({ key, factor });

describe('D58: shares', () => {
  test('a caller is refused above its own bound, and another caller is not', () => {
    const counter = new ShareCounter({ total: 10, perCaller: 2 });
    counter.add(share('a'), 2);
    expect(counter.refusalOf(share('a'))).toBe('caller');
    expect(counter.refusalOf(share('b'), 2)).toBeUndefined();
  });

  test('all callers together are refused above the total', () => {
    const counter = new ShareCounter({ total: 3, perCaller: 2 });
    counter.add(share('a'), 2);
    expect(counter.refusalOf(share('b'))).toBeUndefined();
    expect(counter.refusalOf(share('b'), 2)).toBe('total');
  });

  test('an address behind which many callers may be has a higher bound', () => {
    const counter = new ShareCounter({ total: 100, perCaller: 2 });
    counter.add(share('proxy', 10), 19);
    expect(counter.refusalOf(share('proxy', 10))).toBeUndefined();
    expect(counter.refusalOf(share('proxy', 10), 2)).toBe('caller');
  });

  test('an address behind an unknown proxy gets at most half of the total', () => {
    const counter = new ShareCounter({ total: 10, perCaller: 1 });
    counter.add(share('proxy', 10), 5);
    expect(counter.refusalOf(share('proxy', 10))).toBe('caller');
    expect(counter.refusalOf(share('other'))).toBeUndefined();
  });

  test('callers that cannot be told apart are limited by the total only', () => {
    const counter = new ShareCounter({ total: 5, perCaller: 1 });
    counter.add(COMMON_SHARE, 5);
    expect(counter.refusalOf(COMMON_SHARE)).toBe('total');
  });

  test('an amount that is given back can be used again, and leaves nothing behind', () => {
    const counter = new ShareCounter({ total: 2, perCaller: 2 });
    counter.add(share('a'), 2);
    counter.remove(share('a'), 2);
    expect([counter.total, counter.usedBy(share('a')), counter.refusalOf(share('a'), 2)]).toEqual([0, 0, undefined]);
  });
});
