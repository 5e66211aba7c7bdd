// Raw connections of attackers: prebuilt bytes, and answers that are read or not.
import { connect } from 'node:net';

/**
 * A request as bytes.
 * @param {{ method?: string, path: string, token?: string | undefined, body?: string, length?: number }} request `length`: the announced
 *   length of the body, if it differs
 */
export function toRequest({ method, path, token, body, length }) {
  const head = [
    `${method ?? (body === undefined ? 'GET' : 'POST')} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'A2A-Version: 1.0',
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${length ?? Buffer.byteLength(body)}`]),
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body ?? ''}`);
}

/**
 * Opens a connection and sends the bytes. Returns when the connection has ended or was refused.
 * @param {number} port
 * @param {Buffer} bytes
 * @param {{ isRead: boolean, onSent?: () => void }} how `onSent` is called once, also if the connection ends before
 * @returns {Promise<void>}
 */
export function hold(port, bytes, { isRead, onSent = () => {} }) {
  return new Promise((resolve) => {
    let isSent = false;
    const sent = () => {
      if (!isSent) onSent();
      isSent = true;
    };
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, sent));
    if (isRead) socket.resume();
    else socket.pause();
    socket.on('error', () => {});
    socket.once('close', () => {
      sent();
      resolve();
    });
  });
}

/**
 * A function that calls `done` at its n-th call.
 * @param {number} calls
 * @param {() => void} done
 */
export function after(calls, done) {
  let left = calls;
  return () => {
    left -= 1;
    if (left === 0) done();
  };
}

/** Runs one loop per connection. @param {number} connections @param {(index: number) => Promise<void>} loop */
export async function onEach(connections, loop) {
  await Promise.all(Array.from({ length: connections }, (_, index) => loop(index)));
}
