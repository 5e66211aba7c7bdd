import { systemClock } from '../platform/system-clock.js';
import { A2AError } from '../protocol/errors.js';
import type { FaultPeerOptions } from './faults/script.js';
import { createStage, type StagedReply } from './faults/stage.js';
import { bodyLost, connectionLost, connectionRefused, unlessAborted, untilAborted } from './in-process.js';
import { pause } from './pause.js';
import { type RecordedRequest, readRequest } from './recorded-request.js';
import type { TestFetch } from './test-fetch.js';

type Wait = (delayMs?: number) => Promise<void>;

/** Plays the script of `faultServer` as a `fetch` within this process: without a socket, and with a manual clock if you pass one. */
export function faultFetch(options: FaultPeerOptions & { /** Default http://test. */ readonly url?: string }): TestFetch {
  const { clock = systemClock, acceptMs = 0, url = 'http://test' } = options;
  if (!URL.canParse(url)) throw new A2AError('INVALID_PARAMS', `url must be an http URL, got ${JSON.stringify(url)}`);
  const { origin } = new URL(url);
  const requests: RecordedRequest[] = [];
  const stage = createStage(options, () => url);
  const play: typeof fetch = async (input, init) => {
    const { record, signal, url: asked } = await readRequest(input, init);
    if (asked.origin !== origin) throw connectionRefused(asked.origin);
    const wait: Wait = async (delayMs = 0) => (delayMs > 0 ? pause(clock, delayMs, signal) : undefined);
    await wait(acceptMs);
    requests.push(record);
    const reply = stage(record);
    if (reply === 'drop') throw connectionLost();
    if (reply === 'stall') return unlessAborted(signal, new Promise<never>(() => {}));
    await wait(reply.delays.headersMs);
    return untilAborted(toResponse(reply, wait), signal);
  };
  return Object.assign(play, { requests });
}

function toResponse(reply: StagedReply, wait: Wait): Response {
  const { status, headers } = reply;
  if (status === 204 || status === 304) return new Response(null, { status, headers: { ...headers } });
  return new Response(toBody(reply, wait), { status, headers: { ...headers } });
}

function toBody({ chunks, delays, finish }: StagedReply, wait: Wait): ReadableStream<Uint8Array> {
  let index = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = chunks[index];
        if (chunk === undefined) {
          if (finish === 'drop') throw bodyLost();
          if (finish === 'end') return controller.close();
          return new Promise(() => {});
        }
        await wait(index === 0 ? delays.firstByteMs : delays.chunkMs);
        index += 1;
        controller.enqueue(chunk);
      },
    },
    { highWaterMark: 0 },
  );
}
