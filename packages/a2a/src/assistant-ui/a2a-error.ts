/** The error of the drop-in, and the one place where the errors of Parley's client become it. */
import { readChain } from '../protocol/error-chain.js';
import { type ErrorDetail, isA2AError } from '../protocol/errors.js';
import type { A2AErrorInfo } from './types.js';

/** What every method of `A2AClient` rejects with, in the form of google.rpc.Status; the error of Parley behind it is its `cause`. */
export class A2AError extends Error {
  override name = 'A2AError';
  /** HTTP status; where there was no answer, the one that fits best. */
  code: number;
  /** For example `NOT_FOUND`. */
  status: string;
  /** What the agent said besides, such as a google.rpc.ErrorInfo; undefined when it said nothing. */
  details: unknown[] | undefined;

  constructor(info: A2AErrorInfo, options?: ErrorOptions) {
    super(info.message, options);
    this.code = info.code;
    this.status = info.status;
    this.details = info.details;
  }
}

/** What to throw instead of what Parley's client threw: whoever aborts a call gets his own reason back, as from `fetch`. */
export function toThrown(thrown: unknown, signal?: AbortSignal): unknown {
  if (!isA2AError(thrown)) return thrown;
  if (thrown.reason === 'ABORTED' && signal?.aborted) return signal.reason;
  const { httpStatus: code, status, message, details } = thrown;
  return new A2AError({ code, status, message, details: details.length === 0 ? undefined : details.map(asSaid) }, { cause: thrown });
}

const WRAPPED: ReadonlySet<string> = new Set(['type.googleapis.com/google.protobuf.Struct', 'type.googleapis.com/google.protobuf.Value']);

/** Parley wraps what an agent sends without a type; here it is as the agent sent it. A chain of agents is sent in a wrapping of its own. */
function asSaid(detail: ErrorDetail): unknown {
  if (!WRAPPED.has(detail['@type']) || !('value' in detail) || readChain(detail.value).length > 0) return detail;
  return detail.value;
}
