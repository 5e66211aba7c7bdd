/** A reply on its way into a Node socket. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WireReply, WireStream } from '../../wire/http.js';
import { type Flusher, StreamWriter } from './stream-writer.js';

/** Where a reply goes. */
export interface NodeExchange {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly flusher: Flusher;
}

// A body that nobody read: up to this size Node discards the rest and keeps the connection.
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
  // The socket is lent to this response only when those before it on the connection are out.
  if (socket === null || bytes === 0) {
    response.end(body);
    return;
  }
  // `end(body)` hands the socket the body and then an empty text, as a list, which costs an eighth of a small reply. This is one text.
  socket.cork();
  response.write(body, encodingOf(body, bytes));
  socket.uncork();
  response.end();
}

/** Where every character is one byte, both encodings are the same, and Node copies the one and converts the other. */
function encodingOf(body: string, bytes: number): 'latin1' | 'utf8' {
  return bytes === body.length ? 'latin1' : 'utf8';
}

/** Name, value, name, value: Node writes them out as they are, and nothing has to be copied into another object. */
function bodyHeaders({ status, headers }: WireReply, bytes: number): (string | number)[] {
  const list: (string | number)[] = [];
  for (const name in headers) list.push(name, headers[name] ?? '');
  if (status !== 204 && status !== 304) list.push('content-length', bytes);
  return list;
}

/** More of the request is coming than is worth throwing away quietly. */
function isLeft({ complete, headers }: IncomingMessage): boolean {
  return !complete && !(Number(headers['content-length']) <= SMALL_BODY_BYTES);
}

/**
 * Closing a socket with unread bytes in it makes the system reset it, and the client loses the answer. So the answer goes out
 * whole, what still comes is thrown away for a moment, and then the connection ends.
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

/** A write that lost the race against the peer's reset: `close` tells whoever has to know. */
function ignore(): void {}
