/**
 * Renders agent text as Markdown. Finished pieces do not re-render while more text arrives. Pieces far outside the view stay plain text
 * until they come near.
 */
import { lazy, memo, Suspense, useRef } from 'react';
import { CodeBlock } from './code-block.js';
import { PlainText } from './plain-text.js';
import { cutPieces, NO_PIECES, openPiece, type Piece } from './split-blocks.js';
import { useNear } from './use-near.js';

const Markdown = lazy(async () => ({ default: (await import('./markdown.js')).Markdown }));

/** A larger single block is not prose, and parsing it would noticeably block the page. */
const MAX_MARKDOWN_CHARACTERS = 10_000;

/** Longer text is cut off: rendering all of it would exhaust the memory of the page. */
const MAX_CHARACTERS = 2_000_000;

export function RichText({ text }: { readonly text: string }) {
  const shown = text.length > MAX_CHARACTERS ? text.slice(0, MAX_CHARACTERS) : text;
  const pieces = useRef(NO_PIECES);
  pieces.current = cutPieces(pieces.current, shown);
  const last = openPiece(pieces.current);
  return (
    <div dir="auto" className="flex flex-col gap-2">
      {pieces.current.settled.map((piece, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces are only ever appended
        <PieceView key={index} piece={piece} />
      ))}
      {last && <PieceView key={pieces.current.settled.length} piece={last} />}
      {shown !== text && (
        <p className="label">
          Only the first {shown.length.toLocaleString('en')} of {text.length.toLocaleString('en')} characters are shown.
        </p>
      )}
    </div>
  );
}

const PieceView = memo(
  ({ piece }: { readonly piece: Piece }) => {
    const [ref, isNear] = useNear();
    if (piece.kind === 'code') return <CodeBlock text={piece.text} language={piece.language} />;
    return (
      <div ref={ref} className="prose-piece">
        {isNear && piece.text.length <= MAX_MARKDOWN_CHARACTERS ? (
          <Suspense fallback={<PlainText text={piece.text} />}>
            <Markdown text={piece.text} />
          </Suspense>
        ) : (
          <PlainText text={piece.text} />
        )}
      </div>
    );
  },
  (before, after) => before.piece.text === after.piece.text && before.piece.kind === after.piece.kind,
);
