import { memo } from 'react';

const SLICE_CHARACTERS = 4_000;

/** Splits long text into slices, so that the browser lays out only the visible ones. */
export function PlainText({ text }: { readonly text: string }) {
  const trimmed = text.trim();
  if (trimmed.length <= SLICE_CHARACTERS) return <div className="whitespace-pre-wrap">{trimmed}</div>;
  return slices(trimmed).map((slice, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: slices are only ever appended
    <PlainSlice key={index} text={slice} />
  ));
}

const PlainSlice = memo(({ text }: { readonly text: string }) => <div className="prose-piece whitespace-pre-wrap">{text}</div>);

/** Cuts at line ends, else at spaces, so that a cut does not move any text. */
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
