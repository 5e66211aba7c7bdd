/** The error of the react-a2a replacement, and the only place that converts errors of Parley's client to it. */
import { readChain } from '../protocol/error-chain.js';
import { type ErrorDetail, isA2AError } from '../protocol/errors.js';
import type { A2AErrorInfo } from './types.js';

/** The error of every `A2AClient` method, in the form of google.rpc.Status. Its `cause` is Parley's error. */
export class A2AError extends Error {
  override name = 'A2AError';
  /** HTTP status; without a response, the closest one. */
  code: number;
  /** For example `NOT_FOUND`. */
  status: string;
  /** Further information from the agent, such as a google.rpc.ErrorInfo; undefined if there is none. */
  details: unknown[] | undefined;

  constructor(info: A2AErrorInfo, options?: ErrorOptions) {
    super(info.message, options);
    this.code = info.code;
    this.status = info.status;
    this.details = info.details;
  }
}

/** Converts an error of Parley's client. An aborted call rejects with the reason of its signal, as `fetch` does. */
export function toThrown(thrown: unknown, signal?: AbortSignal): unknown {
  if (!isA2AError(thrown)) return thrown;
  if (thrown.reason === 'ABORTED' && signal?.aborted) return signal.reason;
  const { httpStatus: code, status, message, details } = thrown;
  return new A2AError({ code, status, message, details: details.length === 0 ? undefined : details.map(asSaid) }, { cause: thrown });
}

const WRAPPED: ReadonlySet<string> = new Set(['type.googleapis.com/google.protobuf.Struct', 'type.googleapis.com/google.protobuf.Value']);

/**
 * Parley wraps details without `@type`; this returns them as the agent sent them. An error chain stays wrapped, because agents send it so.
 */
function asSaid(detail: ErrorDetail): unknown {
  if (!WRAPPED.has(detail['@type']) || !('value' in detail) || readChain(detail.value).length > 0) return detail;
  return detail.value;
}
