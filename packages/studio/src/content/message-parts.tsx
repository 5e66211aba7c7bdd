/** Renders the parts of a message in order: text as Markdown, pictures, data. */
import { memo } from 'react';
import type { Part } from '../ui/types.js';
import { CodeBlock } from './code-block.js';
import { ImagePart, isPicture } from './image-part.js';
import { JsonTree } from './json-tree.js';
import { RichText } from './rich-text.js';

/**
 * Parts are only ever appended and an unchanged part stays the same object, so the index is a valid key and `memo` skips unchanged parts.
 */
export const MessageParts = memo(({ parts }: { readonly parts: readonly Part[] }) => (
  <div className="flex min-w-0 flex-col gap-2">
    {parts.map((part, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: see above
      <PartView key={index} part={part} />
    ))}
  </div>
));

const PROSE = new Set(['', 'text/plain', 'text/markdown']);

const PartView = memo(({ part }: { readonly part: Part }) => {
  const { text, data, filename, mediaType = '' } = part;
  if (filename !== undefined && !isPicture(part)) return null; // the artifact list shows files
  if (text !== undefined) return PROSE.has(mediaType) ? <RichText text={text} /> : <CodeBlock text={text} language={mediaType} />;
  if (isPicture(part)) return <ImagePart part={part} />;
  if (data === undefined) return null;
  return (
    <div className="rounded-sm border border-line bg-surface p-3">
      <JsonTree value={data} />
    </div>
  );
});

export function textOf(parts: readonly Part[]): string {
  return parts.flatMap(({ text }) => text ?? []).join('\n\n');
}
