/** What can go wrong with one answer on its way, and where in its bytes. */
import { A2AError } from '../../protocol/errors.js';
import type { Finish, Passed } from '../in-process.js';
import type { RecordedRequest } from '../recorded-request.js';

/** Where in the body: behind so many bytes, or behind so many events of a stream. Neither: at once. */
export interface FaultPosition {
  readonly afterBytes?: number;
  /** Whole frames, each with the blank line behind it. */
  readonly afterFrames?: number;
  /** So many bytes further; -1 is one byte short. Default 0. */
  readonly plus?: number;
}

export type NetworkFault =
  /**
   * What follows the position is lost: by a connection that drops, one that falls silent, or by a body that ends as if it were whole;
   * 'garbage' is such an end behind bytes that mean nothing.
   */
  | (FaultPosition & { readonly do: Finish | 'garbage' })
  /** The connection is refused: nothing of the request arrives. */
  | { readonly do: 'refuse' }
  /** The request arrives and is carried out; nothing of the answer comes back. */
  | { readonly do: 'lose' }
  /** Somebody on the way answers instead. */
  | { readonly do: 'answer'; readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };

/** Asked for every request, in their order; undefined lets it pass unharmed. */
export type NetworkPlan = (request: RecordedRequest, index: number) => NetworkFault | undefined;

/** Ends whatever line it meets, then is an event that is no JSON. */
export const GARBAGE = '\u0001\u0002garbage\n\ndata: {"garbage\n\n';

type BodyFault = FaultPosition & { readonly do: Finish | 'garbage' };

/** Passes the chunks of a body on until the position of the fault is reached. */
export function createCut({ do: what, afterBytes, afterFrames, plus = 0 }: BodyFault): (chunk: Uint8Array) => Passed {
  if (afterBytes !== undefined && afterFrames !== undefined) throw wrong('afterBytes or afterFrames, not both');
  for (const count of [afterBytes ?? 0, afterFrames ?? 0]) {
    if (!Number.isInteger(count) || count < 0) throw wrong(`a whole number of bytes or frames, got ${count}`);
  }
  if (!Number.isInteger(plus) || plus < -1) throw wrong(`a plus of -1 or more, got ${plus}`);
  const findFrame = createFrameFinder(afterFrames ?? 0);
  let cutAt = afterFrames === undefined ? (afterBytes ?? 0) + plus : undefined;
  let passed = 0;
  return (chunk) => {
    if (cutAt === undefined) {
      const end = findFrame(chunk);
      if (end !== undefined) cutAt = passed + end + plus;
    }
    const start = passed;
    passed += chunk.byteLength;
    if (cutAt === undefined || cutAt > passed) return { bytes: chunk };
    const bytes = chunk.subarray(0, Math.max(0, cutAt - start));
    return what === 'garbage' ? { bytes: join(bytes, GARBAGE), finish: 'end' } : { bytes, finish: what };
  };
}

/** Where the n-th frame ends in the chunk that has its end. */
function createFrameFinder(count: number): (chunk: Uint8Array) => number | undefined {
  let frames = 0;
  let lineIsEmpty = false;
  return (chunk) => {
    if (count <= 0) return 0;
    for (const [index, byte] of chunk.entries()) {
      if (byte === CARRIAGE_RETURN) continue;
      if (byte === NEWLINE && lineIsEmpty) frames += 1;
      lineIsEmpty = byte === NEWLINE && !lineIsEmpty;
      if (frames === count) return index + 1;
    }
    return undefined;
  };
}

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;

function join(bytes: Uint8Array, text: string): Uint8Array {
  const more = new TextEncoder().encode(text);
  const joined = new Uint8Array(bytes.byteLength + more.byteLength);
  joined.set(bytes);
  joined.set(more, bytes.byteLength);
  return joined;
}

function wrong(want: string): A2AError {
  return new A2AError('INVALID_PARAMS', `the place of a fault is given by ${want}`);
}
