/** What a server refuses in the body of a request, and the errors. Only servers import it. */
import { A2AError } from '../protocol/errors.js';
import { decodeJson } from './json.js';

const MAX_SHOWN = 40;

/**
 * Takes the `Content-Encoding` of a body that is not decoded yet. Returns an error unless the header is absent or `identity`: read as plain
 * text, a compressed body would be reported as invalid UTF-8 or JSON.
 */
export function refuseEncoding(header: string | undefined): A2AError | undefined {
  const encoding = header?.trim() ?? '';
  if (encoding === '' || encoding.toLowerCase() === 'identity') return undefined;
  const text = `Content-Encoding ${encoding.slice(0, MAX_SHOWN)} is not supported: send the body uncompressed`;
  return new A2AError('CONTENT_TYPE_NOT_SUPPORTED', text, { httpStatus: 415 });
}

/** `bytes`: the size that the request announced, if it did. */
export function bodyTooLarge(maxBytes: number, bytes?: number): A2AError {
  const limit = bytes === undefined ? `exceeds the limit of ${maxBytes} bytes` : `has ${bytes} bytes, the limit is ${maxBytes}`;
  return new A2AError('CONTENT_TOO_LARGE', `The body ${limit} (maxBodyBytes): send less, or files as url parts`);
}

/** Parses a body. Throws CONTENT_TOO_LARGE when it has more than `maxValues` JSON values (`JsonMeasure`), before it is parsed. */
export function decodeBody(text: string, maxValues: number): unknown {
  return decodeJson(text, maxValues, (values) => {
    if (values > maxValues) throw tooManyValues(values, maxValues);
  });
}

function tooManyValues(values: number, maxValues: number): A2AError {
  const limit = `The body has ${values} JSON values, the limit is ${maxValues} (maxBodyValues)`;
  return new A2AError('CONTENT_TOO_LARGE', `${limit}: send less structure, or the data as text or as a url part`);
}
