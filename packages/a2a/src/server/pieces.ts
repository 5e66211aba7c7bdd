/** An answer that comes piece by piece: a generator, another async iterable, or a ReadableStream, read one piece at a time. */
import type { Part } from '../protocol/types.js';
import type { Answer, Pieces } from './executor.js';

type Piece = string | Part;

/** One way to read, whatever the pieces come from. */
export interface PieceReader {
  next(): Promise<IteratorResult<Piece, Answer>>;
  /** Tells the source that nothing more is wanted; resolves when its own clean-up is over. */
  stop(reason: unknown): Promise<void>;
}

export function isPieces(made: unknown): made is Pieces {
  return typeof made === 'object' && made !== null && (isStream(made) || Symbol.asyncIterator in made);
}

/**
 * A stream is read by a reader, also where it is iterable: `cancel` of a reader ends a read that is under way, and `return` of the iterator
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
      'execute returned a ReadableStream that another reader holds: return a stream that is not read elsewhere, or one half of its tee()',
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

/** Some iterators cannot be told to stop: they have no `return`. */
function iteratorReader(iterator: AsyncIterator<Piece, Answer, undefined>): PieceReader {
  return {
    next: () => iterator.next(),
    async stop() {
      await iterator.return?.(undefined);
    },
  };
}
