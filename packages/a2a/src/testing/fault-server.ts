/** A peer that follows a script, including its failures, for tests of clients. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { systemClock } from '../platform/system-clock.js';
import { headersOf, type LoopbackServer, readBody, startLoopbackServer } from './faults/loopback-server.js';
import type { FaultPeerOptions } from './faults/script.js';
import { createStage, type StagedReply } from './faults/stage.js';
import { pause } from './pause.js';
import { type RecordedRequest, recordRequest } from './recorded-request.js';

/** A running server that plays a script; it records the requests. */
export interface FaultServer extends LoopbackServer {
  /** All requests so far, oldest first. */
  readonly requests: readonly RecordedRequest[];
}

/** Plays a script on a free port of 127.0.0.1, over both bindings. `faultFetch` does the same without a socket. */
export async function faultServer(options: FaultPeerOptions): Promise<FaultServer> {
  const { clock = systemClock, acceptMs = 0 } = options;
  const requests: RecordedRequest[] = [];
  const stage = createStage(options, () => server.url);
  const serve = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url: path = '/' } = message;
    const record = recordRequest({ method, path, headers: headersOf(message), body: await readBody(message) });
    requests.push(record);
    const reply = stage(record);
    if (reply === 'stall') return;
    if (reply === 'drop') return void response.destroy();
    const left = new AbortController();
    response.on('close', () => left.abort());
    const wait: Wait = async (delayMs = 0) => (delayMs > 0 ? pause(clock, delayMs, left.signal) : undefined);
    await wait(reply.delays.headersMs);
    response.writeHead(reply.status, { ...reply.headers });
    response.flushHeaders();
    await play(reply, response, wait);
  };
  const server = await startLoopbackServer(
    (message, response) => {
      // The caller has disconnected, or the script threw: there is nothing to send.
      serve(message, response).catch(() => response.destroy());
    },
    { clock, acceptMs },
  );
  return { ...server, requests };
}

type Wait = (delayMs?: number) => Promise<void>;

async function play({ chunks, delays, finish }: StagedReply, response: ServerResponse, wait: Wait): Promise<void> {
  for (const [index, chunk] of chunks.entries()) {
    await wait(index === 0 ? delays.firstByteMs : delays.chunkMs);
    // Waits until the chunk is flushed, so that chunks written before a drop arrive.
    await new Promise((resolve) => response.write(chunk, resolve));
  }
  if (finish === 'end') response.end();
  if (finish === 'drop') response.destroy();
}
