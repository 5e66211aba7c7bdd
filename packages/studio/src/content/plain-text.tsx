import { memo } from 'react';

const SLICE_CHARACTERS = 4_000;

/** Long ones in slices: the browser lays out only those that are seen. */
export function PlainText({ text }: { readonly text: string }) {
  const trimmed = text.trim();
  if (trimmed.length <= SLICE_CHARACTERS) return <div className="whitespace-pre-wrap">{trimmed}</div>;
  return slices(trimmed).map((slice, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: slices are only ever added behind the others
    <PlainSlice key={index} text={slice} />
  ));
}

const PlainSlice = memo(({ text }: { readonly text: string }) => <div className="prose-piece whitespace-pre-wrap">{text}</div>);

/** At line ends where there are some, and at spaces elsewhere, so that nothing jumps. */
function slices(text: string): readonly string[] {
  const all: string[] = [];
  let from = 0;
  while (from < text.length) {
    const full = from + SLICE_CHARACTERS;
    if (full >= text.length) return [...all, text.slice(from)];
    const line = text.lastIndexOf('\n', full);
    const space = text.lastIndexOf(' ', full);
    const end = line > from ? line : space > from ? space : full - 1;
    all.push(text.slice(from, end + 1).replace(/\n$/, ''));
    from = end + 1;
  }
  return all;
}
