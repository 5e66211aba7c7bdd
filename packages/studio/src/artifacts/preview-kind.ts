/** Selects the preview of a file; undefined if there is none. */
import { type FileEntry, sizeOf } from './files.js';

export type PreviewKind = 'text' | 'markdown' | 'code' | 'csv' | 'json' | 'image' | 'head';

/** Larger previews would block the page: a larger text shows only its beginning, a larger picture has no preview. */
const MAX_TEXT_BYTES = 1_000_000;
const MAX_IMAGE_BYTES = 20_000_000;

const IMAGES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/svg+xml', 'image/bmp']);
const CODE = /(javascript|typescript|xml|yaml|toml|html|css|x-python|x-sh|sql|graphql|x-[a-z]+)$/;
const CODE_NAMES = /\.(js|mjs|ts|tsx|jsx|py|rs|go|java|c|cc|h|sh|sql|css|html?|xml|ya?ml|toml|ini|diff|patch)$/i;

export function previewKind(entry: FileEntry): PreviewKind | undefined {
  if (entry.parts[0]?.data !== undefined) return 'json'; // no size limit: the tree renders only open branches
  const size = sizeOf(entry);
  if (size === undefined) return undefined;
  if (IMAGES.has(entry.mediaType)) return size <= MAX_IMAGE_BYTES ? 'image' : undefined;
  const kind = textKind(entry);
  return kind === undefined || size <= MAX_TEXT_BYTES ? kind : 'head';
}

function textKind({ mediaType, name }: FileEntry): PreviewKind | undefined {
  if (mediaType === 'text/csv' || /\.csv$/i.test(name)) return 'csv';
  if (mediaType === 'application/json' || mediaType.endsWith('+json') || /\.json$/i.test(name)) return 'json';
  if (mediaType === 'text/markdown' || /\.(md|markdown)$/i.test(name)) return 'markdown';
  if (CODE.test(mediaType) || CODE_NAMES.test(name)) return 'code';
  return mediaType.startsWith('text/') ? 'text' : undefined;
}
