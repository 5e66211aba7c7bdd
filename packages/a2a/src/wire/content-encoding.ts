/** Refuses compressed bodies with a clear error: read as plain text, they would be reported as invalid UTF-8 or JSON. */
import { A2AError } from '../protocol/errors.js';

const MAX_SHOWN = 40;

/** Takes the `Content-Encoding` of a body that is not decoded yet. Returns an error unless the header is absent or `identity`. */
export function refuseEncoding(header: string | undefined): A2AError | undefined {
  const encoding = header?.trim() ?? '';
  if (encoding === '' || encoding.toLowerCase() === 'identity') return undefined;
  const text = `Content-Encoding ${encoding.slice(0, MAX_SHOWN)} is not supported: send the body uncompressed`;
  return new A2AError('CONTENT_TYPE_NOT_SUPPORTED', text, { httpStatus: 415 });
}
