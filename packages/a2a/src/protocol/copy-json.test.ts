import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { copyAsJson } from './copy-json.js';

const viaText = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

class Celsius {
  degrees = 21;
}
class Tags extends Array<string> {}

describe('copyAsJson returns what JSON.parse(JSON.stringify(value)) returns', () => {
  test('for every JSON value, and for objects with undefined members', () => {
    const members = fc.dictionary(fc.string(), fc.oneof(fc.constant(undefined), fc.jsonValue()));
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), members), (value) => {
        expect(JSON.stringify(copyAsJson(value))).toBe(JSON.stringify(value));
      }),
    );
  });

  const deep = (levels: number): unknown => (levels === 0 ? 'end' : { next: [deep(levels - 1)] });
  const values: readonly [string, unknown][] = [
    ['a date', { at: new Date(0) }],
    ['an object with toJSON', { secret: 1, toJSON: () => ({ shown: 2 }) }],
    ['an object that inherits toJSON', { temperature: Object.create({ toJSON: () => 'warm' }) }],
    ['an instance of a class', { temperature: new Celsius() }],
    ['an instance of a subclass of Array', { tags: Tags.from(['a', 'b']) }],
    ['a Map and a Set', { map: new Map([[1, 2]]), set: new Set([3]) }],
    ['a boxed text', { text: Object('boxed') }],
    ['numbers that JSON does not have', { list: [Number.NaN, Number.POSITIVE_INFINITY] }],
    ['a negative zero', { list: [-0] }],
    ['a list with a hole and undefined', { list: Array.from({ length: 3, 1: 'x' }) }],
    ['functions and symbols', { call: () => 1, mark: Symbol('s'), kept: 1 }],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 })],
    ['a member __proto__', JSON.parse('{"__proto__":{"polluted":true},"a":1}')],
    ['a value that is nested deeply', deep(300)],
    ['bytes', { bytes: new Uint8Array([1, 2]) }],
  ];
  test.each(values)('%s', (_name, value) => {
    expect(copyAsJson(value)).toStrictEqual(viaText(value));
  });

  test('later changes of the original do not change the copy', () => {
    const original = { parts: [{ text: 'before' }], metadata: { list: [1] } };
    const copy = copyAsJson(original);
    original.parts[0] = { text: 'after' };
    original.metadata.list.push(2);
    expect(copy).toEqual({ parts: [{ text: 'before' }], metadata: { list: [1] } });
  });

  test('no member of the copy is inherited', () => {
    const copy = copyAsJson(JSON.parse('{"__proto__":{"polluted":true}}')) as { polluted?: boolean };
    expect(copy.polluted).toBeUndefined();
  });

  test('a cycle, a BigInt and undefined are refused', () => {
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    for (const value of [cycle, { big: 1n }, undefined]) expect(() => copyAsJson(value)).toThrow();
  });
});
