/** Undoes the compression of an answer. Servers may compress whether they are asked to or not. */
import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { A2ATransportError } from '../../protocol/errors.js';

// Each piece is given as soon as it can be read: an event of a stream must not wait for the next one.
const ZLIB = { flush: constants.Z_SYNC_FLUSH };
const BROTLI = { flush: constants.BROTLI_OPERATION_FLUSH };

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(ZLIB),
  'x-gzip': () => createGunzip(ZLIB),
  deflate: () => createInflate(ZLIB),
  br: () => createBrotliDecompress(BROTLI),
};
// A server that names more has no reason to, and each costs memory.
const MAX_CODINGS = 2;

/** The body as it was before it was compressed: the message itself, as a rule. Destroying what is returned destroys the message. */
export function decodeBody(message: IncomingMessage): Readable {
  const header = message.headers['content-encoding'];
  if (header === undefined || message.statusCode === 204 || message.statusCode === 304) return message;
  const codings = header
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length === 0) return message;
  const decoders = codings.map((coding) => DECODERS[coding]).reverse();
  if (decoders.length > MAX_CODINGS || decoders.includes(undefined)) {
    message.destroy();
    throw new A2ATransportError(
      'serialization',
      `The answer is compressed as ${JSON.stringify(header.slice(0, 64))}, which cannot be read`,
      {
        sent: true,
      },
    );
  }
  return decoders.reduce<Readable>((body, create) => (create === undefined ? body : pipeline(body, create(), ignore)), message);
}

/** The reader of the last part of a pipeline is told of the failure of every part. */
function ignore(): void {}
