import { expect, test } from 'vitest';
import { isStreaming } from '../../protocol/methods.js';
import { resolveActivation } from './activation-policy.js';
import { activationOf, resolveTimeouts, timeouts } from './timeout-presets.js';

test('B12: timeouts.layered() is connect 5 s, read 60 s, write 5 s, pool 10 s, total 90 s', () => {
  expect(timeouts.layered()).toEqual({
    connectMs: 5_000,
    poolMs: 10_000,
    writeMs: 5_000,
    firstByteMs: 60_000,
    idleMs: 60_000,
    totalMs: 90_000,
  });
});

test('A16: timeouts.streaming() is 10, 45 and 90 s, activation 60 s, 120 s in all; rpc() is 10, 30 and 30 s, 30 s in all', () => {
  expect(timeouts.streaming()).toEqual({
    connectMs: 10_000,
    firstByteMs: 45_000,
    idleMs: 90_000,
    totalMs: 120_000,
    activationMs: 60_000,
  });
  expect(timeouts.rpc()).toEqual({ connectMs: 10_000, firstByteMs: 30_000, idleMs: 30_000, totalMs: 30_000 });
});

test('A16: values derived from a preset agree with it', () => {
  const { activationMs, ...limits } = timeouts.streaming();
  expect(resolveActivation(activationOf(timeouts.streaming()) || {}).maxColdStartMs).toBe(activationMs);
  expect(activationOf(timeouts.rpc())).toBe(false);
  expect(resolveTimeouts('SendStreamingMessage', timeouts.streaming())).toMatchObject({ ...limits, totalMs: null });
  expect(resolveTimeouts('GetTask', timeouts.rpc())).toMatchObject(timeouts.rpc());
});

test('A10: a stream never has a total, even if one is set; other calls keep theirs', () => {
  expect(resolveTimeouts('SendStreamingMessage', { totalMs: 5 })).toMatchObject({ totalMs: null });
  expect(resolveTimeouts('SubscribeToTask', { totalMs: 5 })).toMatchObject({ totalMs: null });
  expect(resolveTimeouts('GetTask', { totalMs: 5 })).toMatchObject({ totalMs: 5 });
  expect(['GetAgentCard', 'Charge', 'constructor'].map(isStreaming)).toEqual([false, false, false]);
});

test('D35: a call uses its own limits, then those of the client, then the defaults', () => {
  expect(resolveTimeouts('GetTask')).toEqual({
    connectMs: 10_000,
    poolMs: 10_000,
    writeMs: 30_000,
    firstByteMs: 60_000,
    idleMs: 60_000,
    totalMs: 300_000,
  });
  expect(resolveTimeouts('SubscribeToTask')).toMatchObject({ firstByteMs: 45_000, idleMs: 90_000, totalMs: null });
  const client = { connectMs: 1, idleMs: 2, totalMs: null };
  expect(resolveTimeouts('GetTask', { connectMs: 3, idleMs: undefined }, client)).toMatchObject({ connectMs: 3, idleMs: 2, totalMs: null });
});

test('D35: null instead of a set removes all limits, and a call may set one again', () => {
  expect(Object.values(resolveTimeouts('GetTask', null))).toEqual(Array(6).fill(null));
  expect(resolveTimeouts('GetTask', { idleMs: 7 }, null)).toMatchObject({ idleMs: 7, firstByteMs: null });
  expect(resolveTimeouts('GetTask', undefined, null)).toMatchObject({ idleMs: null });
  expect(Object.values(resolveTimeouts('GetTask', null, { idleMs: 7 }))).toEqual(Array(6).fill(null));
});

test('D35: an invalid limit is refused, and unknown members are ignored', () => {
  for (const value of [0, -1, Number.NaN]) {
    expect(() => resolveTimeouts('GetTask', { idleMs: value })).toThrow(
      `timeouts.idleMs must be a number above 0, or null for no limit, got ${value}`,
    );
  }
  expect(resolveTimeouts('GetTask', timeouts.streaming())).not.toHaveProperty('activationMs');
});
