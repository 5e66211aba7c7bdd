/** Reads an answer piece by piece from a generator, another async iterable, or a ReadableStream. */
import type { Part } from '../../protocol/types.js';
import type { Answer, Pieces } from './executor.js';

type Piece = string | Part;

/** Reads pieces, independent of their source. */
export interface PieceReader {
  next(): Promise<IteratorResult<Piece, Answer>>;
  /** Stops the source; resolves when the source has cleaned up. */
  stop(reason: unknown): Promise<void>;
}

export function isPieces(made: unknown): made is Pieces {
  return typeof made === 'object' && made !== null && (isStream(made) || Symbol.asyncIterator in made);
}

/**
 * A stream is read through a reader even if it is iterable: `cancel` of a reader ends a pending read, whereas `return` of the iterator
 * would wait for it.
 */
export function readPieces(pieces: Pieces): PieceReader {
  return isStream(pieces) ? streamReader(pieces) : iteratorReader(pieces[Symbol.asyncIterator]());
}

function isStream(made: object): made is ReadableStream<Piece> {
  return 'getReader' in made && typeof made.getReader === 'function';
}

function streamReader(stream: ReadableStream<Piece>): PieceReader {
  if (stream.locked) {
    throw new TypeError(
      'execute returned a ReadableStream that is locked to another reader: return an unlocked stream, or one branch of its tee()',
    );
  }
  const reader = stream.getReader();
  return {
    async next() {
      const { done, value } = await reader.read();
      return done ? { done, value: undefined } : { done, value };
    },
    stop: (reason) => reader.cancel(reason),
  };
}

/** Some iterators cannot be stopped, because they have no `return`. */
function iteratorReader(iterator: AsyncIterator<Piece, Answer, undefined>): PieceReader {
  return {
    next: () => iterator.next(),
    async stop() {
      await iterator.return?.(undefined);
    },
  };
}
