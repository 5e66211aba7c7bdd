/**
 * Long texts are kept as UTF-8 outside of the heap of the engine. The engine collects its heap only when it has grown to a multiple of what
 * was live before, up to four times; memory outside of it is collected after a fixed growth. So the store may hold many long texts, and the
 * process still needs little more than their size.
 */
import { flat } from './flat.js';

/** Short texts stay strings: they are read as they are. */
export type PackedText = string | Uint8Array;

/** Packing a shorter text costs more than it saves. */
const LONG_CHARS = 64 * 1024;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The texts of the store are JSON, which escapes half of a surrogate pair: they are always Unicode. */
export function pack(text: string): PackedText {
  return text.length > LONG_CHARS ? encoder.encode(text) : text;
}

/** Short texts are copied, so that they do not keep a longer text in memory. */
export function packFlat(text: string): PackedText {
  return text.length > LONG_CHARS ? encoder.encode(text) : flat(text);
}

export function unpack(text: PackedText): string {
  return typeof text === 'string' ? text : decoder.decode(text);
}
