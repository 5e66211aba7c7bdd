/** The error details that every binding sends. */
import { boundChain, type NestedLink, nestChain } from '../protocol/error-chain.js';
import type { A2AError, ErrorDetail, ErrorInfo, ErrorReason } from '../protocol/errors.js';

/** Error data as one object. */
export interface ObjectData extends Partial<Pick<NestedLink, 'currentAgent' | 'downstreamAgent' | 'downstreamError'>> {
  readonly reason: ErrorReason;
  readonly retryable: boolean;
  /** Seconds. */
  readonly retryAfter?: number;
  /** A description of the problem for people. */
  readonly detail?: string;
}

/** The error's details, with the request id that the server's log contains. */
export function detailsOf(error: A2AError, requestId?: string): readonly ErrorDetail[] {
  if (requestId === undefined) return error.details;
  return error.details.map((detail) => (isErrorInfo(detail) ? { ...detail, metadata: { ...detail.metadata, requestId } } : detail));
}

/** The same as one object, for peers that do not support the list. */
export function toObjectData({ reason, retryable, retryAfterMs, violations, metadata, chain }: A2AError): ObjectData {
  const detail = metadata.detail ?? violations.map(({ field, description }) => `${field} ${description}`).join('; ');
  return {
    ...nestChain(boundChain(chain)),
    reason,
    retryable,
    ...(retryAfterMs !== undefined && { retryAfter: retryAfterMs / 1000 }),
    ...(detail !== '' && { detail }),
  };
}

function isErrorInfo(detail: ErrorDetail): detail is ErrorInfo {
  return detail['@type'] === 'type.googleapis.com/google.rpc.ErrorInfo';
}
