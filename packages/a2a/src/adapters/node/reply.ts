/** Writes a reply to a Node socket. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WireReply, WireStream } from '../../wire/http.js';
import { type Flusher, StreamWriter } from './stream-writer.js';

/** One request with its response. */
export interface NodeExchange {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly flusher: Flusher;
}

// For an unread body: up to this size Node discards the rest and keeps the connection.
const SMALL_BODY_BYTES = 64 * 1024;
const LINGER_MS = 2_000;

export function sendReply(exchange: NodeExchange, reply: WireReply): void {
  const { message, response } = exchange;
  if (response.destroyed || response.headersSent) return;
  const { body } = reply;
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    sendStream(exchange, reply, body);
  } else if (isLeft(message)) {
    sendAndLinger(exchange, reply, body);
  } else if (typeof body === 'string') {
    sendText(response, reply, body);
  } else {
    response.writeHead(reply.status, bodyHeaders(reply, body.byteLength)).end(body);
  }
}

function sendText(response: ServerResponse, reply: WireReply, body: string): void {
  const { socket } = response;
  const bytes = Buffer.byteLength(body);
  response.writeHead(reply.status, bodyHeaders(reply, bytes));
  // The response gets its socket only after the earlier responses on the connection were sent.
  if (socket === null || bytes === 0) {
    response.end(body);
    return;
  }
  // `end(body)` gives the socket the body and an empty chunk as a list, which costs an eighth of a small reply. This is one chunk.
  socket.cork();
  response.write(body, encodingOf(body, bytes));
  socket.uncork();
  response.end();
}

/** If every character is one byte, both encodings are equal, but Node copies latin1 and has to convert utf8. */
function encodingOf(body: string, bytes: number): 'latin1' | 'utf8' {
  return bytes === body.length ? 'latin1' : 'utf8';
}

/** A flat list (name, value, name, value): Node writes it unchanged and needs no copy. */
function bodyHeaders({ status, headers }: WireReply, bytes: number): (string | number)[] {
  const list: (string | number)[] = [];
  for (const name in headers) list.push(name, headers[name] ?? '');
  if (status !== 204 && status !== 304) list.push('content-length', bytes);
  return list;
}

/** The unread rest of the request is too large to discard. */
function isLeft({ complete, headers }: IncomingMessage): boolean {
  return !complete && !(Number(headers['content-length']) <= SMALL_BODY_BYTES);
}

/**
 * Closing a socket with unread bytes makes the operating system reset it, and the client loses the reply. So the whole reply is sent,
 * incoming bytes are discarded for a short time, and then the connection ends.
 */
function sendAndLinger({ message, response }: NodeExchange, reply: WireReply, body: string | Uint8Array): void {
  response.writeHead(reply.status, [...bodyHeaders(reply, Buffer.byteLength(body)), 'connection', 'close']);
  response.write(body);
  const finish = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(finish, LINGER_MS).unref();
  response.on('error', ignore);
  message.once('end', finish).once('close', finish).resume();
}

function sendStream({ message, response, flusher }: NodeExchange, { status, headers }: WireReply, stream: WireStream): void {
  response.writeHead(status, headers);
  if (message.method === 'HEAD') {
    response.end();
    return;
  }
  const writer = new StreamWriter(response, flusher);
  const reading = stream.open(writer);
  writer.attach(reading);
  response.on('drain', () => writer.drained()).on('close', () => reading.close());
  response.on('error', ignore);
}

/** For a write that fails because the peer reset the connection: the `close` event handles it. */
function ignore(): void {}
