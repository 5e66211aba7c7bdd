/** What there is to show of a message, in order: text as Markdown, pictures, data. */
import { memo } from 'react';
import type { Part } from '../app/types.js';
import { CodeBlock } from './code-block.js';
import { ImagePart, isPicture } from './image-part.js';
import { JsonTree } from './json-tree.js';
import { RichText } from './rich-text.js';

/** Parts that did not change are the same objects, and only ever added behind the others. */
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
  if (filename !== undefined && !isPicture(part)) return null; // files are in the list of artifacts
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
