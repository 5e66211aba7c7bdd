/** The loop is faster than the encoder, which allocates its result, up to about this length. */
const SHORT = 256;

/** The number of bytes of a text in UTF-8. */
export function utf8Length(text: string): number {
  return text.length <= SHORT ? countBytes(text) : new TextEncoder().encode(text).length;
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
