/** Decodes the content of a file in slices with pauses, so that a file of 50 MB does not block the page. */
import type { Part } from '../app/types.js';
import { webAddress } from '../content/safe-url.js';
import type { FileEntry } from './files.js';

/** A multiple of four, so that each base64 slice can be decoded alone. */
const SLICE_CHARACTERS = 1 << 20;

export async function toBlob({ parts, mediaType }: FileEntry): Promise<Blob> {
  const pieces: BlobPart[] = [];
  for (const { text, raw, data } of parts) {
    if (text !== undefined) pieces.push(text);
    if (data !== undefined) pieces.push(JSON.stringify(data, null, 2));
    if (raw !== undefined) await decodeInto(pieces, raw);
  }
  return new Blob(pieces, { type: mediaType });
}

/** Returns the beginning of a text file without decoding the rest. */
export function headOf(entry: FileEntry, characters: number): FileEntry {
  const parts: Part[] = [];
  let left = characters;
  for (const { text, raw } of entry.parts) {
    if (left <= 0) break;
    if (text !== undefined) parts.push({ text: text.slice(0, left) });
    if (raw !== undefined) parts.push({ raw: raw.slice(0, left - (left % 4)) }); // only complete base64 groups can be decoded
    left -= text?.length ?? raw?.length ?? 0;
  }
  return { ...entry, parts };
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

const KEPT_MS = 60_000;

/** Downloads a file under a sanitized name. A file that is only a URL opens in a new tab. */
export async function download(entry: FileEntry): Promise<void> {
  const remote = entry.parts[0]?.url;
  if (remote !== undefined) return openElsewhere(remote);
  const address = URL.createObjectURL(await toBlob({ ...entry, mediaType: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName(entry);
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}

function openElsewhere(address: string): void {
  const safe = webAddress(address);
  if (safe === undefined) throw new TypeError(`Studio opens only http and https addresses, not ${address.slice(0, 80)}`);
  window.open(safe, '_blank', 'noopener,noreferrer');
}

const ENDINGS: Readonly<Record<string, string>> = {
  'text/plain': '.txt',
  'text/markdown': '.md',
  'text/csv': '.csv',
  'application/json': '.json',
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
  'image/webp': '.webp',
};

/** Removes path separators, leading dots and reserved characters. */
export function fileName({ name, mediaType }: Pick<FileEntry, 'name' | 'mediaType'>): string {
  const plain =
    name
      .replace(/[/\\:*?"<>|⟨⟩]+/g, '_')
      .replace(/^\.+/, '')
      .trim()
      .slice(0, 120) || 'unnamed';
  return /\.[A-Za-z0-9]{1,8}$/.test(plain) ? plain : `${plain}${ENDINGS[mediaType] ?? ''}`;
}
