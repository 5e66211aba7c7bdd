/** The beginning of a file for its preview, and its download. */
import { webAddress } from '../content/safe-url.js';
import { toBlob } from '../content/to-blob.js';
import type { Part } from '../ui/types.js';
import type { FileEntry } from './files.js';

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
