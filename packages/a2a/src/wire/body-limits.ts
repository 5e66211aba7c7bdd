/** The limits of a request body, and their errors. Only servers import it. */
import { A2AError } from '../protocol/errors.js';
import { decodeJson } from './json.js';

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

/** `bytes`: the size that the request announced, if it did. */
export function bodyTooLarge(maxBytes: number, bytes?: number): A2AError {
  const limit = bytes === undefined ? `exceeds the limit of ${maxBytes} bytes` : `has ${bytes} bytes, the limit is ${maxBytes}`;
  return new A2AError('CONTENT_TOO_LARGE', `The body ${limit} (maxBodyBytes): send less, or files as url parts`);
}
