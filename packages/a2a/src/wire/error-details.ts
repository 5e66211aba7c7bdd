/** What an error carries to a peer in every binding. */
import type { A2AError, ErrorDetail, ErrorInfo } from '../protocol/errors.js';

/** The error's details, with the id under which the server's log knows the request. */
export function detailsOf(error: A2AError, requestId?: string): readonly ErrorDetail[] {
  if (requestId === undefined) return error.details;
  return error.details.map((detail) => (isErrorInfo(detail) ? { ...detail, metadata: { ...detail.metadata, requestId } } : detail));
}

function isErrorInfo(detail: ErrorDetail): detail is ErrorInfo {
  return detail['@type'] === 'type.googleapis.com/google.rpc.ErrorInfo';
}
