import { describe, expect, test } from 'vitest';
import { readDelegation } from '../protocol/delegation-scope.js';
import type { JsonObject, JsonValue } from '../protocol/types.js';
import { delegationMetadata } from './delegation.js';

const URI = 'urn:parley:a2a:delegation:v1';
const { signal } = new AbortController();

describe('metadata of a delegated message', () => {
  test('D23: increments the depth and keeps the root task', () => {
    expect(delegationMetadata({ signal, depth: 0, rootTaskId: 'top' })).toEqual({ [URI]: { depth: 1, rootTaskId: 'top' } });
    expect(delegationMetadata({ signal, depth: 7 })).toEqual({ [URI]: { depth: 8 } });
  });

  test('D23: keeps the metadata of the caller, but replaces an old depth', () => {
    const old: JsonObject = { mine: 1, [URI]: { depth: 5 } };
    expect(delegationMetadata({ signal, depth: 1 }, old)).toEqual({ mine: 1, [URI]: { depth: 2 } });
    expect(old).toEqual({ mine: 1, [URI]: { depth: 5 } });
  });

  test('D23: without a scope nothing is added', () => {
    expect(delegationMetadata(undefined)).toBeUndefined();
    expect(delegationMetadata(undefined, { mine: 1 })).toEqual({ mine: 1 });
  });

  test('D23: the ninth agent is not called', () => {
    expect(() => delegationMetadata({ signal, depth: 8 })).toThrow('there are 9 agents above this call, the limit is 8');
  });

  test.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('D23: a scope with the depth %s is refused', (depth) => {
    expect(() => delegationMetadata({ signal, depth })).toThrow('the depth of a scope must be a whole number of at least 0');
  });
});

describe('reading the delegation of a message', () => {
  test('D23: a message without delegation is at depth 0', () => {
    expect(readDelegation({})).toEqual({ depth: 0 });
    expect(readDelegation({ metadata: { other: 1 } })).toEqual({ depth: 0 });
  });

  test('D23: the written delegation is read back', () => {
    const metadata = delegationMetadata({ signal, depth: 7, rootTaskId: 'top' });
    expect(readDelegation(metadata ? { metadata } : {})).toEqual({ depth: 8, rootTaskId: 'top' });
  });

  test.each<[string, JsonValue]>([
    ['null', null],
    ['a string', 'deep'],
    ['a list', [1]],
    ['no depth', {}],
    ['a depth that is a string', { depth: '1' }],
    ['a negative depth', { depth: -1 }],
    ['a fractional depth', { depth: 0.5 }],
    ['a root that is not a string', { depth: 1, rootTaskId: 7 }],
  ])('D23: %s is refused instead of counting as depth 0, which would allow endless cycles', (_name, given) => {
    expect(() => readDelegation({ metadata: { [URI]: given } })).toThrow(/must be/);
  });
});
