import { expect, test } from 'vitest';
import type { HeldBytes, WireOutput } from '../../wire/http.js';
import { HEARTBEAT } from '../../wire/sse.js';
import { toReadable } from './reply-body.js';

test('the bytes that a stream has reserved count until its first event, whatever is sent to keep the connection open', async () => {
  const counted: number[] = [];
  const held: HeldBytes = { bytes: 100_000, reserve: () => {}, set: (bytes) => counted.push(bytes) };
  let output: WireOutput | undefined;
  const open = (opened: WireOutput) => {
    output = opened;
    return { resume: () => {}, close: () => {} };
  };
  const reader = toReadable({ open }, held).getReader();
  output?.write(HEARTBEAT);
  await reader.read();
  expect(counted).toEqual([]);
  output?.write('data: a short event\n\n');
  await reader.read();
  expect(counted.at(-1)).toBe(0);
});
