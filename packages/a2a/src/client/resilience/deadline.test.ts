import { expect, test } from 'vitest';
import { bench, countedSignal, outcome, scriptedSend } from '../../../test/client/scripted-send.js';
import { A2AError } from '../../protocol/errors.js';
import type { ClientReply } from '../call.js';
import { cutOffCall } from './cut-off.js';
import { deadline } from './deadline.js';
import { retry } from './retry.js';
import { timeouts } from './timeout-presets.js';

test('A11: a call that hangs ends after its total time, and every inner layer knows the deadline', async () => {
  const tools = bench();
  const { controller, listeners } = countedSignal();
  const peer = scriptedSend(tools.clock, ['hang']);
  const send = tools.chain(peer, deadline(tools));
  const result = outcome(send(tools.call('GetTask', { timeouts: timeouts.rpc(), signal: controller.signal })));
  await tools.clock.tick(29_999);
  expect(result.done()).toBe(false);
  await tools.clock.tick(1);
  expect(result.error).toMatchObject({ kind: 'timeout', phase: 'total', sent: true, reason: 'TASK_TIMEOUT', retryAfterMs: undefined });
  expect(peer.calls[0]?.budget.leftMs()).toBe(0);
  controller.abort();
  await tools.clock.tick();
  expect([tools.clock.pending, listeners(), peer.open]).toEqual([0, 0, 0]);
});

test('A11: a stream and its opening have no total', async () => {
  const tools = bench();
  const peer = scriptedSend(tools.clock, ['hang']);
  const result = outcome(tools.chain(peer, deadline(tools))(tools.call('SubscribeToTask', { timeouts: timeouts.rpc() })));
  await tools.clock.tick(3_600_000);
  expect([result.done(), tools.clock.pending]).toEqual([false, 0]);
});

test('B12: the total covers all attempts together: a delay that would pass it is not started', async () => {
  const tools = bench();
  const peer = scriptedSend(tools.clock, [503]);
  const send = tools.chain(peer, deadline(tools), retry({ jitter: false, maxRetries: 100, maxDelayMs: 60_000 }, tools));
  const result = outcome(send(tools.call('GetTask', { timeouts: timeouts.layered() })));
  await tools.clock.tick(90_000);
  expect(peer.times).toEqual([0, 1_000, 3_000, 7_000, 15_000, 31_000, 63_000]);
  expect(result.error).toMatchObject({ httpStatus: 503 });
  expect(tools.clock.pending).toBe(0);
});

test('a call that finishes in time leaves no timer, and its own failure is returned unchanged', async () => {
  const tools = bench();
  const { controller, listeners } = countedSignal();
  const peer = scriptedSend(tools.clock, ['ok', 503]);
  const send = tools.chain(peer, deadline(tools));
  const call = tools.call('GetTask', { timeouts: timeouts.rpc(), signal: controller.signal });
  expect(await send(call)).toMatchObject({ kind: 'value' });
  await expect(send(call)).rejects.toMatchObject({ httpStatus: 503 });
  expect([tools.clock.pending, listeners()]).toEqual([0, 0]);
  const none = { ...call, timeouts: { totalMs: null } };
  await expect(send(none)).rejects.toMatchObject({ httpStatus: 503 });
  expect(peer.calls.at(-1)).toBe(none);
});

test('an abort by the caller is an abort, not a timeout', async () => {
  const tools = bench();
  const { controller, listeners } = countedSignal();
  const peer = scriptedSend(tools.clock, ['hang']);
  const result = outcome(
    tools.chain(peer, deadline(tools))(tools.call('GetTask', { timeouts: timeouts.rpc(), signal: controller.signal })),
  );
  await tools.clock.tick(1_000);
  controller.abort('enough');
  await tools.clock.tick();
  expect(result.error).toMatchObject({ reason: 'ABORTED', cause: 'enough' });
  expect([tools.clock.pending, listeners()]).toEqual([0, 0]);
});

test('a stream that opens in time follows the caller’s signal until it is no longer read; one that opens too late is closed', async () => {
  const tools = bench();
  const { controller, listeners } = countedSignal();
  let closed = 0;
  const reply: ClientReply = {
    kind: 'stream',
    extensions: [],
    events: {
      retryMs: 5,
      close: () => {
        closed += 1;
      },
      async *[Symbol.asyncIterator]() {},
    },
  };
  const limit = { clock: tools.clock, afterMs: 1_000, signal: controller.signal, timeout: () => new A2AError('TASK_TIMEOUT', 'late') };
  const opened = await cutOffCall(limit, () => Promise.resolve(reply));
  expect(listeners()).toBe(1);
  if (opened.kind !== 'stream') throw new Error('no stream');
  expect(opened.events.retryMs).toBe(5);
  for await (const _ of opened.events);
  expect([listeners(), closed]).toEqual([0, 0]);
  const other = await cutOffCall(limit, () => Promise.resolve(reply));
  if (other.kind === 'stream') other.events.close();
  expect([listeners(), closed, tools.clock.pending]).toEqual([0, 1, 0]);

  const late = outcome(cutOffCall(limit, () => new Promise((resolve) => void tools.clock.after(2_000, () => resolve(reply)))));
  await tools.clock.tick(1_000);
  expect([late.error, closed]).toMatchObject([{ reason: 'TASK_TIMEOUT' }, 1]);
  await tools.clock.tick(1_000);
  expect([closed, listeners()]).toEqual([2, 0]);
});
