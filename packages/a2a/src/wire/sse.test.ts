import { expect, test } from 'vitest';
import { BARE_FRAME, errorFrame, frameEnd, HEARTBEAT, retryFrame } from './sse.js';

test('a frame has its data first, then its id', () => {
  expect(BARE_FRAME.head + frameEnd({ json: '{"a":1}', seq: 7 }, BARE_FRAME)).toBe('data: {"a":1}\nid: 7\n\n');
});

test('a frame without a seq has no id', () => {
  expect(frameEnd({ json: '{}' }, BARE_FRAME)).toBe('{}\n\n');
  expect(frameEnd({ json: '{}', seq: 0 }, BARE_FRAME)).toBe('{}\nid: 0\n\n');
});

test('the end of a frame does not depend on the text before it', () => {
  const frame = { json: '{}', seq: 3 };
  expect(frameEnd(frame, { head: 'data: 1', tail: '}' })).toBe(frameEnd(frame, { head: 'data: 2', tail: '}' }));
});

test('errors, heartbeats and retry hints are separate blocks', () => {
  expect(errorFrame('{"error":1}')).toBe('event: error\ndata: {"error":1}\n\n');
  expect(retryFrame(500)).toBe('retry: 500\n\n');
  expect(HEARTBEAT).toMatch(/^:.*\n\n$/);
});
