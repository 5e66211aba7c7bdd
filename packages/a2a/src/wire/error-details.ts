/** What an error carries to a peer in every binding. */
import type { A2AError, ErrorDetail } from '../protocol/errors.js';

/** The error's details, with the id under which the server's log knows the request. */
export function detailsOf(error: A2AError, requestId?: string): readonly ErrorDetail[] {
  if (requestId === undefined) return error.details;
  return error.details.map((detail) => ('metadata' in detail ? { ...detail, metadata: { ...detail.metadata, requestId } } : detail));
}
