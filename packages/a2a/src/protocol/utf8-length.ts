/** The loop is faster than the encoder up to about this length. */
const SHORT = 256;
const SLICE_CHARS = 16 * 1024;

/** The number of bytes of a text in UTF-8. */
export function utf8Length(text: string): number {
  return text.length <= SHORT ? countBytes(text) : countEncoded(text);
}

/** Encodes slice by slice into one small buffer: the bytes of a long text would be as much garbage. */
function countEncoded(text: string): number {
  const encoder = new TextEncoder();
  if (text.length <= SLICE_CHARS) return encoder.encode(text).length;
  const buffer = new Uint8Array(SLICE_CHARS * 3);
  let bytes = 0;
  for (let at = 0; at < text.length; ) {
    const end = isHighSurrogate(text.charCodeAt(at + SLICE_CHARS - 1)) ? at + SLICE_CHARS - 1 : at + SLICE_CHARS;
    bytes += encoder.encodeInto(text.slice(at, end), buffer).written;
    at = end;
  }
  return bytes;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function countBytes(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit >= 0x80) bytes += unit >= 0x800 && !isSurrogate(unit) ? 2 : 1;
  }
  return bytes;
}

/** A pair of surrogates is four bytes. The JSON of a text has no surrogate without its pair. */
function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
