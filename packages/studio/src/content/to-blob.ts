/** Decodes the content of a file in slices with pauses, so that a file of 50 MB does not block the page. */
import type { Part } from '../ui/types.js';

/** A multiple of four, so that each base64 slice can be decoded alone. */
const SLICE_CHARACTERS = 1 << 20;

interface Content {
  readonly mediaType: string;
  /** The parts of one file, in order. */
  readonly parts: readonly Part[];
}

export async function toBlob({ parts, mediaType }: Content): Promise<Blob> {
  const pieces: BlobPart[] = [];
  for (const { text, raw, data } of parts) {
    if (text !== undefined) pieces.push(text);
    if (data !== undefined) pieces.push(JSON.stringify(data, null, 2));
    if (raw !== undefined) await decodeInto(pieces, raw);
  }
  return new Blob(pieces, { type: mediaType });
}

/** Accepts base64 and base64url, with or without padding. Throws on any other input. */
async function decodeInto(pieces: BlobPart[], base64: string): Promise<void> {
  for (let from = 0; from < base64.length; from += SLICE_CHARACTERS) {
    const slice = base64
      .slice(from, from + SLICE_CHARACTERS)
      .replaceAll('-', '+')
      .replaceAll('_', '/');
    pieces.push(Uint8Array.from(atob(slice), (character) => character.charCodeAt(0)));
    if (from + SLICE_CHARACTERS < base64.length) await pause();
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
