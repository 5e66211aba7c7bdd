/** Decompresses a response body. Servers may compress even if the client did not ask for it. */
import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { A2ATransportError } from '../../protocol/errors.js';

// Flush every piece immediately: an event of a stream must not wait for the next one. A body without a trailer, or without any byte, is
// accepted as `fetch` does.
const ZLIB = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const BROTLI = { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH };

const DECODERS: ReadonlyMap<string, () => readonly Transform[]> = new Map([
  ['gzip', () => [createGunzip(ZLIB)]],
  ['x-gzip', () => [createGunzip(ZLIB)]],
  ['deflate', () => [addZlibHeader(), createInflate(ZLIB)]],
  ['br', () => [createBrotliDecompress(BROTLI)]],
]);
// No server has a reason to use more, and each decoder costs memory.
const MAX_CODINGS = 2;

export interface DecodedBody {
  /** The decompressed body; the message itself if it is not compressed. Destroying it destroys the message. */
  readonly body: Readable;
  /** Set if the client cannot decode the body. The status and the headers of the response are valid all the same. */
  readonly error?: A2ATransportError;
}

export function decodeBody(message: IncomingMessage): DecodedBody {
  const header = message.headers['content-encoding'];
  if (header === undefined || message.statusCode === 204 || message.statusCode === 304) return { body: message };
  const codings = header
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length > MAX_CODINGS || codings.some((coding) => !DECODERS.has(coding)))
    return { body: message, error: unknownCoding(header) };
  const decoders = codings.reverse().flatMap((coding) => DECODERS.get(coding)?.() ?? []);
  return { body: decoders.reduce<Readable>((body, decoder) => pipeline(body, decoder, ignore), message) };
}

function unknownCoding(header: string): A2ATransportError {
  const words = `The response is compressed as ${JSON.stringify(header.slice(0, 64))}, which is not supported`;
  return new A2ATransportError('serialization', words, { sent: true });
}

// The compression method in the low half of the first byte. No raw deflate stream begins with it.
const ZLIB_METHOD = 8;
const ZLIB_HEADER = Buffer.from([0x78, 0x9c]);

/** Some servers send `deflate` without the zlib header. The decoder accepts such a body if the header is put in front of it. */
function addZlibHeader(): Transform {
  let isFirst = true;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      const [first] = chunk;
      if (isFirst && first !== undefined) {
        isFirst = false;
        if ((first & 0x0f) !== ZLIB_METHOD) this.push(ZLIB_HEADER);
      }
      done(null, chunk);
    },
  });
}

/** `pipeline` needs a callback. The last stream reports the errors of every part to its reader. */
function ignore(): void {}
