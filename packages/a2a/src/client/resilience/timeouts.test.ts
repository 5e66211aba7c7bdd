import { expect, test } from 'vitest';
import { requestOf, type Script, scriptedExchange } from '../../../test/client/scripted-exchange.js';
import { countedSignal, outcome } from '../../../test/client/scripted-send.js';
import { manualClock } from '../../testing/manual-clock.js';
import type { HttpResponse, Timeouts } from '../transports/exchange.js';
import { timeoutError } from './timeout-error.js';
import { timeouts as presets } from './timeout-presets.js';
import { withTimeouts } from './timeouts.js';

const LIMITS = { firstByteMs: 45_000, idleMs: 90_000 };
const HOUR = 3_600_000;

function start(script: Script, timeouts: Timeouts = LIMITS) {
  const clock = manualClock();
  const { controller, listeners } = countedSignal();
  const peer = scriptedExchange(clock, script);
  const exchange = withTimeouts(peer.exchange, clock);
  return { clock, controller, listeners, peer, response: exchange(requestOf(timeouts, controller.signal)) };
}

async function collect(response: HttpResponse, pieces: string[] = []): Promise<readonly string[]> {
  const decoder = new TextDecoder();
  for await (const chunk of response.chunks()) pieces.push(decoder.decode(chunk));
  return pieces;
}

const readAll = async (response: Promise<HttpResponse>, pieces?: string[]) => collect(await response, pieces);

test('A11: at the total deadline the request in flight is aborted, and a request that was not started is not sent', async () => {
  const clock = manualClock();
  const peer = scriptedExchange(clock, { headersAfterMs: 'never' });
  const exchange = withTimeouts(peer.exchange, clock);
  const request = { ...requestOf({ ...LIMITS, totalMs: 30_000 }, undefined), deadline: clock.now() + 30_000 };
  const result = outcome(exchange(request));
  await clock.tick(29_999);
  expect(result.done()).toBe(false);
  await clock.tick(1);
  const over = { kind: 'timeout', phase: 'total', reason: 'TASK_TIMEOUT', message: expect.stringContaining('30000 ms') };
  expect(result.error).toMatchObject(over);
  expect(peer.requests[0]?.signal?.aborted).toBe(true);
  await expect(exchange(request)).rejects.toMatchObject(over);
  expect([peer.requests.length, clock.pending]).toEqual([1, 0]);
});

test('A13: a peer that hangs before its headers is aborted at the first-byte timeout', async () => {
  const { clock, listeners, peer, response } = start({ headersAfterMs: 'never' });
  const result = outcome(response);
  await clock.tick(44_999);
  expect(result.done()).toBe(false);
  await clock.tick(1);
  expect(result.error).toMatchObject({ kind: 'timeout', phase: 'firstByte', sent: true, reason: 'TASK_TIMEOUT' });
  expect(peer.requests[0]?.signal?.aborted).toBe(true);
  expect([clock.pending, listeners()]).toEqual([0, 0]);
});

test.each([
  ['pool', { phase: 'pool', sent: false, reason: 'TASK_TIMEOUT' }],
  ['connect', { phase: 'connect', sent: false, reason: 'AGENT_UNAVAILABLE' }],
  ['sent', { phase: 'firstByte', sent: true, reason: 'TASK_TIMEOUT' }],
] as const)('F32: the first-byte timeout expires while the progress of the request is %s', async (progress, expected) => {
  const clock = manualClock();
  const peer = scriptedExchange(clock, { headersAfterMs: 'never' });
  const exchange = withTimeouts((request) => {
    request.onProgress?.('pool');
    request.onProgress?.(progress);
    return peer.exchange(request);
  }, clock);
  const result = outcome(exchange(requestOf(LIMITS)));
  await clock.tick(45_000);
  expect(result.error).toMatchObject({ kind: 'timeout', ...expected, metadata: { timeoutMs: '45000' } });
  expect(clock.pending).toBe(0);
});

test('A13: a peer that hangs after its headers is aborted too: one limit from the request to the first byte', async () => {
  const { clock, listeners, response } = start({ headersAfterMs: 40_000, ending: 'never' });
  const result = outcome(readAll(response));
  await clock.tick(44_999);
  expect(result.done()).toBe(false);
  await clock.tick(1);
  expect(result.error).toMatchObject({ kind: 'timeout', phase: 'firstByte', sent: true });
  expect([clock.pending, listeners()]).toEqual([0, 0]);
});

test('A13: an empty piece is not the first byte', async () => {
  const { clock, response } = start({ pieces: [[10, '']], ending: 'never' });
  const result = outcome(readAll(response));
  await clock.tick(45_000);
  expect(result.error).toMatchObject({ phase: 'firstByte' });
});

test('A13: time in which the reader does not read is not counted against the peer', async () => {
  const { clock, response } = start({ headersAfterMs: 10_000, pieces: [[30_000, 'late']] });
  await clock.tick(10_000);
  const opened = await response;
  await clock.tick(HOUR);
  expect(clock.pending).toBe(0);
  const result = outcome(collect(opened));
  await clock.tick(30_000);
  expect(result.value).toEqual(['late']);
});

test('A14: the idle timeout between two pieces is an error, not the end of the stream', async () => {
  const { clock, listeners, peer, response } = start({ pieces: [[0, 'one']], ending: 'never' });
  const pieces: string[] = [];
  const result = outcome(readAll(response, pieces));
  await clock.tick(89_999);
  expect([pieces, result.done()]).toEqual([['one'], false]);
  await clock.tick(1);
  expect(result.error).toMatchObject({ name: 'A2ATransportError', kind: 'timeout', phase: 'idle', sent: true, reason: 'TASK_TIMEOUT' });
  expect([peer.discarded, peer.left, clock.pending, listeners()]).toEqual([1, 1, 0, 0]);
});

test('A14: heartbeats reset the idle timeout', async () => {
  const beats = Array.from({ length: 20 }, () => [89_000, ': beat\n\n'] as const);
  const { clock, response } = start({ pieces: [[0, 'one'], ...beats] });
  const result = outcome(readAll(response));
  await clock.tick(20 * 89_000);
  expect(result.value).toHaveLength(21);
});

test('A10: a stream with a piece every ten seconds is still open after an hour', async () => {
  const pieces = Array.from({ length: 361 }, () => [10_000, 'x'] as const);
  const { clock, listeners, response } = start({ pieces }, presets.streaming());
  const result = outcome(readAll(response));
  await clock.tick(HOUR);
  expect(result.done()).toBe(false);
  await clock.tick(10_000);
  expect(result.value).toHaveLength(361);
  expect([clock.pending, listeners()]).toEqual([0, 0]);
});

test('A12: the limits of a stream are 45 s to the first byte and 90 s idle', async () => {
  const late = start({ headersAfterMs: 44_000, pieces: [[2_000, 'x']] }, presets.streaming());
  const first = outcome(readAll(late.response));
  await late.clock.tick(HOUR);
  expect(first.error).toMatchObject({ phase: 'firstByte', metadata: { timeoutMs: '45000' } });
  const quiet = start(
    {
      pieces: [
        [44_000, 'x'],
        [91_000, 'y'],
      ],
    },
    presets.streaming(),
  );
  const second = outcome(readAll(quiet.response));
  await quiet.clock.tick(HOUR);
  expect(second.error).toMatchObject({ phase: 'idle', metadata: { timeoutMs: '90000' } });
});

test('A11: a unary response has the limits too: a body that hangs is aborted after 30 s', async () => {
  const { clock, response } = start({ pieces: [[0, '{"half']], ending: 'never' }, presets.rpc());
  const result = outcome(response.then((answer) => answer.text(1_000)));
  await clock.tick(30_000);
  expect(result.error).toMatchObject({ kind: 'timeout', phase: 'idle' });
  expect(clock.pending).toBe(0);
});

test('B12: a timeout names its phase: without a connection it is unavailable and unsent, otherwise the call may have run', () => {
  const phases = ['connect', 'pool', 'write', 'firstByte', 'idle', 'total'] as const;
  expect(phases.map((phase) => [phase, timeoutError(phase, 5_000).reason, timeoutError(phase, 5_000).sent])).toEqual([
    ['connect', 'AGENT_UNAVAILABLE', false],
    ['pool', 'TASK_TIMEOUT', false],
    ['write', 'TASK_TIMEOUT', true],
    ['firstByte', 'TASK_TIMEOUT', true],
    ['idle', 'TASK_TIMEOUT', true],
    ['total', 'TASK_TIMEOUT', true],
  ]);
  expect(timeoutError('connect', 5_000)).toMatchObject({ kind: 'timeout', metadata: { phase: 'connect', timeoutMs: '5000' } });
});

test('D35: without limits the exchange is not wrapped', async () => {
  const { clock, peer, controller, response } = start({ pieces: [[HOUR, 'x']] }, { firstByteMs: null });
  const result = outcome(readAll(response));
  await clock.tick(HOUR);
  expect([result.value, peer.requests[0]?.signal]).toEqual([['x'], controller.signal]);
});

test('D35: the first-byte and the idle timeout work alone', async () => {
  const first = start(
    {
      pieces: [
        [1_000, 'x'],
        [HOUR, 'y'],
      ],
    },
    { firstByteMs: 5_000 },
  );
  const one = outcome(readAll(first.response));
  await first.clock.tick(2 * HOUR);
  expect(one.value).toEqual(['x', 'y']);
  const idle = start(
    {
      headersAfterMs: HOUR,
      pieces: [
        [HOUR, 'x'],
        [6_000, 'y'],
      ],
    },
    { idleMs: 5_000 },
  );
  const two = outcome(readAll(idle.response));
  await idle.clock.tick(3 * HOUR);
  expect(two.error).toMatchObject({ phase: 'idle' });
});

test('the caller aborts before the headers and in the middle of the body: ABORTED, and nothing is left', async () => {
  for (const script of [{ headersAfterMs: 'never' }, { pieces: [[0, 'x']], ending: 'never' }] as const) {
    const { clock, controller, listeners, response } = start(script);
    const result = outcome(readAll(response));
    await clock.tick(1_000);
    controller.abort('enough');
    await clock.tick();
    expect(result.error).toMatchObject({ reason: 'ABORTED', cause: 'enough' });
    expect([clock.pending, listeners()]).toEqual([0, 0]);
  }
});

test('a caller that aborted before, or aborts between two pieces, is not delayed by an exchange that ignores signals', async () => {
  const gone = start({ headersAfterMs: 10, isDeaf: true });
  gone.controller.abort('early');
  const early = outcome(gone.response);
  await gone.clock.tick();
  const script: Script = { pieces: [[0, 'x']], ending: 'never', isDeaf: true };
  const { clock, controller, listeners, response, peer } = start(script);
  const between = outcome(
    (async () => {
      for await (const _ of (await response).chunks()) controller.abort('enough');
    })(),
  );
  await clock.tick();
  expect(between.error).toMatchObject({ reason: 'ABORTED', cause: 'enough' });
  expect([clock.pending, listeners(), peer.discarded]).toEqual([0, 0, 1]);
  expect(early.error).toMatchObject({ reason: 'ABORTED', cause: 'early' });
});

test('leaving the loop releases the body', async () => {
  const { clock, listeners, peer, response } = start({
    pieces: [
      [0, 'x'],
      [0, 'y'],
    ],
    ending: 'never',
  });
  const first = (async () => {
    for await (const _ of (await response).chunks()) break;
  })();
  await clock.tick();
  await first;
  await clock.tick();
  expect([peer.left, clock.pending, listeners()]).toEqual([1, 0, 0]);
});

test('discard releases an unread body', async () => {
  const { clock, listeners, peer, response } = start({ pieces: [[0, 'x']] });
  await clock.tick();
  (await response).discard();
  expect([peer.discarded, clock.pending, listeners()]).toEqual([1, 0, 0]);
});

test('a response that arrives after its timeout, from an exchange that ignores signals, is discarded', async () => {
  const { clock, peer, response } = start({ headersAfterMs: 50_000, isDeaf: true });
  const result = outcome(response);
  await clock.tick(45_000);
  expect([result.error, peer.discarded]).toMatchObject([{ phase: 'firstByte' }, 0]);
  await clock.tick(5_000);
  expect(peer.discarded).toBe(1);
});

test('A11: a long body is not idle: each piece of a text counts', async () => {
  const pieces = Array.from({ length: 10 }, () => [25_000, 'x'] as const);
  const { clock, listeners, response } = start({ pieces }, presets.rpc());
  const result = outcome(response.then((answer) => answer.text(1_000)));
  await clock.tick(250_000);
  expect([result.value, clock.pending, listeners()]).toEqual(['xxxxxxxxxx', 0, 0]);
  const silent = start({ headersAfterMs: 20_000, pieces: [[20_000, 'x']] }, presets.rpc());
  const late = outcome(silent.response.then((answer) => answer.text(1_000)));
  await silent.clock.tick(30_000);
  expect([late.error, silent.clock.pending, silent.listeners()]).toMatchObject([{ phase: 'firstByte' }, 0, 0]);
});

test('status and headers are those of the response', async () => {
  const { clock, response } = start({ pieces: [[0, 'x']] });
  await clock.tick();
  const answer = await response;
  expect([answer.status, answer.header('x-way'), answer.header('none')]).toEqual([200, 'back', undefined]);
  answer.discard();
});

test('the error of a failing exchange is returned unchanged', async () => {
  const clock = manualClock();
  const error = new Error('as it is');
  await expect(withTimeouts(() => Promise.reject(error), clock)(requestOf(LIMITS))).rejects.toBe(error);
  expect(clock.pending).toBe(0);
});

test('an error while discarding a response does not hide the timeout', async () => {
  const clock = manualClock();
  const broken: HttpResponse = {
    status: 200,
    header: () => undefined,
    text: () => new Promise(() => {}),
    chunks: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) }),
    discard: () => {
      throw new TypeError('cancel is not a function');
    },
  };
  const exchange = withTimeouts(async () => broken, clock);
  const response = await exchange(requestOf(LIMITS, undefined));
  const text = outcome(response.text(10));
  await clock.tick(45_000);
  expect(text.error).toMatchObject({ kind: 'timeout', phase: 'firstByte' });
  expect(clock.pending).toBe(0);
});

test('a call that ends before it is sent leaves nothing on the signal of its caller; null counts as no signal', async () => {
  const clock = manualClock();
  const { controller, listeners } = countedSignal();
  const peer = scriptedExchange(clock, {});
  const exchange = withTimeouts(peer.exchange, clock);
  const late = { ...requestOf({ ...LIMITS, totalMs: 1 }, controller.signal), deadline: clock.now() };
  await expect(exchange(late)).rejects.toMatchObject({ phase: 'total' });
  expect([peer.requests.length, listeners()]).toEqual([0, 0]);
  const unsigned = outcome(exchange(requestOf(LIMITS, null as unknown as undefined)));
  await clock.tick(1_000);
  expect(unsigned.value).toMatchObject({ status: 200 });
});
