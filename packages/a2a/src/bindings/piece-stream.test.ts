import { expect, test } from 'vitest';
import type { HeldBytes, WireOutput } from '../wire/http.js';
import { pieceBody } from './piece-stream.js';

/** Counts like the budget of a host, without bounds. */
function counter(): HeldBytes & { bytes: number } {
  const held = {
    bytes: 0,
    reserve(bytes: number) {
      held.bytes = Math.max(held.bytes, bytes);
    },
    set(bytes: number) {
      held.bytes = bytes;
    },
  };
  return held;
}

const PIECES = ['{"text":"', '😀'.repeat(100_000), 'x'.repeat(100_000), '"}'];
const CHARS = PIECES.join('').length;

/** Opens the body with a host that takes one slice at a time. */
function openBody(pieces = PIECES) {
  const held = counter();
  const { body, held: counted, length } = pieceBody(pieces, held);
  if (typeof body === 'string' || body instanceof Uint8Array || counted === undefined) throw new Error('expected a stream');
  const slices: string[] = [];
  let isOver = false;
  const output: WireOutput = {
    write(text) {
      slices.push(text);
      return false;
    },
    end() {
      isOver = true;
    },
  };
  return { held, counted, length, slices, isOver: () => isOver, open: () => body.open(output) };
}

test('F63: the pieces are written slice by slice, as the host asks for them, and no slice ends within a surrogate pair', () => {
  const { open, slices, isOver, length } = openBody();
  const reading = open();
  expect(slices).toHaveLength(1);
  while (!isOver()) reading.resume();
  expect(slices.join('') === PIECES.join('')).toBe(true);
  expect(slices.every((slice) => slice.length <= 64 * 1024 && !/[\ud800-\udbff]$/.test(slice))).toBe(true);
  expect(length).toBe(Buffer.byteLength(PIECES.join('')));
});

test('F63: short pieces are written together', () => {
  const pieces = Array.from({ length: 50_000 }, (_, index) => (index % 7 === 0 ? '😀' : ','));
  const { open, slices, isOver } = openBody(pieces);
  const reading = open();
  while (!isOver()) reading.resume();
  expect(slices.join('') === pieces.join('')).toBe(true);
  expect(slices).toHaveLength(1);
});

test('F63: what the host has not taken counts beside what the host holds, until the client has left', () => {
  const { open, held, counted, slices } = openBody();
  const reading = open();
  reading.resume();
  const taken = slices.join('').length;
  counted.set(10);
  expect(held.bytes).toBe(CHARS - taken + 10);
  counted.set(0); // as the host does when the connection closes, before it closes the reading
  reading.close();
  expect(held.bytes).toBe(0);
});

test('F63: a reply whose client has left before it was written counts no longer', () => {
  const { held, counted } = openBody();
  held.set(CHARS);
  counted.set(0);
  expect(held.bytes).toBe(0);
});
