import { describe, expect, test } from 'vitest';
import { ByteBudget, checkRoom, reserveReply } from './byte-budget.js';
import { COMMON_SHARE, shareOfCaller } from './share-counter.js';

const [ann, bob] = [shareOfCaller('ann'), shareOfCaller('bob')];
const limited = expect.objectContaining({ reason: 'RATE_LIMITED', retryAfterMs: 1_000 });
const unavailable = expect.objectContaining({ reason: 'AGENT_UNAVAILABLE', retryAfterMs: 1_000 });

describe('D58: bytes held for callers', () => {
  test('D58: a caller may hold its share and not one byte more, and another caller is not affected', () => {
    const budget = new ByteBudget({ perCaller: 100, total: 1_000 });
    budget.bodyOf(ann).reserve(60);
    expect(() => budget.bodyOf(ann).reserve(41)).toThrow(limited);
    budget.bodyOf(ann).reserve(40);
    budget.bodyOf(bob).reserve(100);
    expect(budget.total).toBe(200);
  });

  test('D58: all callers together may hold the total and not one byte more', () => {
    const budget = new ByteBudget({ perCaller: 100, total: 150 });
    budget.bodyOf(ann).reserve(100);
    expect(() => budget.bodyOf(bob).reserve(51)).toThrow(unavailable);
    expect(() => budget.bodyOf(COMMON_SHARE).reserve(51)).toThrow(unavailable);
    budget.bodyOf(bob).reserve(50);
  });

  test('D58: one request that is larger than the share is served while its caller holds nothing else', () => {
    const budget = new ByteBudget({ perCaller: 100, total: 150 });
    const large = budget.bodyOf(ann);
    large.reserve(120);
    large.reserve(140);
    expect(() => checkRoom({ held: budget.bodyOf(ann) })).toThrow(limited);
    expect(() => budget.bodyOf(bob).reserve(11)).toThrow(unavailable);
    large.set(0);
    budget.bodyOf(bob).reserve(1_000);
    expect(() => budget.bodyOf(ann).reserve(1)).toThrow(unavailable);
  });

  test('D58: what is set counts beyond the bounds too, and is given back by a lower number', () => {
    const budget = new ByteBudget({ perCaller: 100, total: 150 });
    const [one, two] = [budget.bodyOf(ann), budget.bodyOf(ann)];
    one.set(100);
    two.set(100);
    expect([budget.total, one.bytes]).toEqual([200, 100]);
    expect(() => two.reserve(101)).toThrow(limited);
    one.set(0);
    two.set(10);
    expect(budget.total).toBe(10);
    checkRoom({ held: one });
  });

  test('D58: a caller with a waiting reply can send a body, and both count in the total', () => {
    const budget = new ByteBudget({ perCaller: 100, total: 150 });
    budget.replyTo(ann).reserve(100);
    expect(() => budget.replyTo(ann).reserve(1)).toThrow(limited);
    budget.bodyOf(ann).reserve(50);
    expect(() => budget.bodyOf(ann).reserve(1)).toThrow(unavailable);
  });

  test('D58: reserving less than before keeps the count', () => {
    const held = new ByteBudget({ perCaller: 100, total: 150 }).bodyOf(ann);
    held.reserve(50);
    held.reserve(20);
    expect(held.bytes).toBe(50);
  });

  test('D58: a small reply is not reserved', () => {
    const budget = new ByteBudget({ perCaller: 100, total: 150 });
    const held = budget.bodyOf(ann);
    reserveReply({ held }, 64 * 1024);
    expect(budget.total).toBe(0);
    reserveReply({ held }, 64 * 1024 + 1);
    expect(budget.total).toBe(64 * 1024 + 1);
  });
});
