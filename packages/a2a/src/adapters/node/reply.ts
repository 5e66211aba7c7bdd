/** Writes a reply to a Node socket. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HeldBytes, WireReply, WireStream } from '../../wire/http.js';
import { SLICE_BYTES } from '../../wire/slice-end.js';
import { type Flusher, StreamWriter } from './stream-writer.js';
import { TextWriter } from './text-writer.js';
import type { WriteDeadline } from './write-deadline.js';

/** The parts that all replies of a server share. */
export interface NodeOutput {
  readonly flusher: Flusher;
  readonly deadline: WriteDeadline;
}

/** One request with its response. */
export interface NodeExchange {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly output: NodeOutput;
}

// For an unread body: up to this size Node discards the rest and keeps the connection.
const SMALL_BODY_BYTES = 64 * 1024;
const LINGER_MS = 2_000;

export function sendReply(exchange: NodeExchange, reply: WireReply): void {
  const { message, response } = exchange;
  const { body } = reply;
  if (response.destroyed || response.headersSent) {
    reply.held?.set(0);
  } else if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    sendStream(exchange, reply, body);
  } else if (isLeft(message)) {
    sendAndLinger(exchange, reply, body);
  } else if (typeof body === 'string') {
    sendText(exchange, reply, body);
  } else {
    response.writeHead(reply.status, bodyHeaders(reply, body.byteLength)).end(body);
    watch(exchange, reply.held);
  }
}

function sendText(exchange: NodeExchange, reply: WireReply, body: string): void {
  const { response, output } = exchange;
  const { socket } = response;
  const bytes = Buffer.byteLength(body);
  response.writeHead(reply.status, bodyHeaders(reply, bytes));
  if (socket === null || bytes === 0) {
    response.end(body);
    reply.held?.set(0);
    return;
  }
  if (bytes > SLICE_BYTES) {
    new TextWriter(response, output.deadline, { text: body, bytes, held: reply.held }).start();
    return;
  }
  // `end(body)` gives the socket the body and an empty chunk as a list, which costs an eighth of a small reply. This is one chunk.
  socket.cork();
  response.write(body, encodingOf(body, bytes));
  socket.uncork();
  response.end();
  watch(exchange, reply.held);
}

/**
 * Most clients read: then a small reply is in the buffer of the operating system by now. The sockets of some serverless hosts have no
 * `writableLength`: nothing waits there.
 */
function watch({ response, output }: NodeExchange, held: HeldBytes | undefined): void {
  const { socket } = response;
  if (socket === null || !(socket.writableLength > 0)) {
    held?.set(0);
    return;
  }
  output.deadline.watch(socket);
  if (held === undefined) return;
  held.set(socket.writableLength);
  response.once('close', () => held.set(0));
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

/**
 * The unread rest of the request is too large to discard, or Node does not discard it: Node leaves a body alone when its reading has begun,
 * also if the reading was stopped.
 */
function isLeft({ complete, readableFlowing, headers }: IncomingMessage): boolean {
  return !complete && (readableFlowing !== null || !(Number(headers['content-length']) <= SMALL_BODY_BYTES));
}

/**
 * Closing a socket with unread bytes makes the operating system reset it, and the client loses the reply. So the whole reply is sent,
 * incoming bytes are discarded for a short time, and then the connection ends.
 */
function sendAndLinger(exchange: NodeExchange, reply: WireReply, body: string | Uint8Array): void {
  const { message, response } = exchange;
  const headers = { ...reply.headers, connection: 'close' };
  response.writeHead(reply.status, bodyHeaders({ ...reply, headers }, Buffer.byteLength(body)));
  response.write(body);
  watch(exchange, reply.held);
  const finish = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(finish, LINGER_MS).unref();
  response.on('error', ignore);
  message.once('end', finish).once('close', finish).resume();
}

function sendStream({ message, response, output }: NodeExchange, { status, headers, held }: WireReply, stream: WireStream): void {
  response.writeHead(status, headers);
  if (message.method === 'HEAD') {
    response.end();
    held?.set(0);
    return;
  }
  const writer = new StreamWriter(response, output, held);
  writer.attach(stream.open(writer));
  // Not chained: with the middleware `compression`, `on('drain')` returns its own stream.
  response.on('close', () => writer.closed());
  response.on('drain', () => writer.drained());
  response.on('error', ignore);
}

/** For a write that fails because the peer reset the connection: the `close` event handles it. */
function ignore(): void {}
