/** Faults of one answer in transit, and their positions in its bytes. */
import { A2AError } from '../../protocol/errors.js';
import type { Finish, Passed } from '../in-process.js';
import type { RecordedRequest } from '../recorded-request.js';

/** The position in the body: after this many bytes, or after this many events of a stream. Neither: at the beginning. */
export interface FaultPosition {
  readonly afterBytes?: number;
  /** Whole frames, each including its blank line. */
  readonly afterFrames?: number;
  /** Offset in bytes; -1 is one byte earlier. Default 0. */
  readonly plus?: number;
}

/** One fault of the network, such as a dropped connection or a refused one. */
export type NetworkFault =
  /**
   * Everything after the position is lost: the connection drops ('drop'), goes silent ('stall'), or the body ends as if it were complete
   * ('end'). 'garbage' ends it after invalid bytes.
   */
  | (FaultPosition & { readonly do: Finish | 'garbage' })
  /** The connection is refused: nothing of the request arrives. */
  | { readonly do: 'refuse' }
  /** The request arrives and is executed; nothing of the answer comes back. */
  | { readonly do: 'lose' }
  /** An intermediary answers instead. */
  | { readonly do: 'answer'; readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };

/** Called for every request, in order; undefined lets it pass unchanged. */
export type NetworkPlan = (request: RecordedRequest, index: number) => NetworkFault | undefined;

/** Ends any open line, then adds an event that is not JSON. */
export const GARBAGE = '\u0001\u0002garbage\n\ndata: {"garbage\n\n';

type BodyFault = FaultPosition & { readonly do: Finish | 'garbage' };

/** Passes the chunks of a body until the position of the fault. */
export function createCut({ do: what, afterBytes, afterFrames, plus = 0 }: BodyFault): (chunk: Uint8Array) => Passed {
  if (afterBytes !== undefined && afterFrames !== undefined) throw wrong('set afterBytes or afterFrames, not both');
  for (const count of [afterBytes ?? 0, afterFrames ?? 0]) {
    if (!Number.isInteger(count) || count < 0) throw wrong(`afterBytes and afterFrames must be whole numbers, got ${count}`);
  }
  if (!Number.isInteger(plus) || plus < -1) throw wrong(`plus must be an integer of at least -1, got ${plus}`);
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

/** Returns the end of the n-th frame, in the chunk that contains it. */
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
  return new A2AError('INVALID_PARAMS', `Invalid position of a fault: ${want}`);
}
