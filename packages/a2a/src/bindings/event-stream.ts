/** The reader's end of a stream: frames of the log become SSE text, with back-pressure up and the peer's leaving down. */
import { checkOutput } from '#output-check';
import type { A2AError } from '../protocol/errors.js';
import type { Agent } from '../server/agent.js';
import type { Frame, ReadEnd, Reading, Reply, Sink } from '../server/call.js';
import type { WireOutput, WireReading, WireStream } from '../wire/http.js';
import { errorFrame, type FrameWrap, frameEnd, HEARTBEAT, retryFrame } from '../wire/sse.js';
import { toFailure } from './failure.js';
import { createHeartbeat, type Heartbeat } from './heartbeat.js';

/** Headers that keep everything on the way from holding events back. */
export const STREAM_HEADERS = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', 'x-accel-buffering': 'no' } as const;

/** How a binding dresses its streams. */
interface StreamDress {
  readonly wrap: FrameWrap;
  /** The binding's whole error body. */
  encodeError(error: A2AError): string;
}

type StreamReply = Extract<Reply, { readonly kind: 'stream' }>;

export type EventStreams = (reply: StreamReply, dress: StreamDress) => WireStream;

/** One per server: its streams share a heartbeat and the text of what they all send. */
export function createEventStreams(agent: Agent): EventStreams {
  const heartbeat = createHeartbeat(agent.settings.clock, agent.settings.heartbeatMs);
  const textOf = createFrameText();
  return (reply, dress) => ({
    open: (output) => new OpenStream(reply, { agent, output, dress, heartbeat, textOf }),
  });
}

interface StreamParts {
  readonly agent: Agent;
  readonly output: WireOutput;
  readonly dress: StreamDress;
  readonly heartbeat: Heartbeat;
  readonly textOf: (frames: readonly Frame[], wrap: FrameWrap) => string;
}

/** One reader's stream: frames come in as a Sink, the host looks at it as a WireReading. */
class OpenStream implements Sink, WireReading {
  readonly #parts: StreamParts;
  readonly #leave: () => void;
  readonly #reading: Reading;
  #open = true;
  #full = false;
  #silent = true;

  constructor(reply: StreamReply, parts: StreamParts) {
    const { agent, output, heartbeat } = parts;
    this.#parts = parts;
    this.#leave = heartbeat.join(() => {
      if (!this.#full) output.write(HEARTBEAT);
    });
    this.#reading = this.#start(reply);
    // Nothing to say yet: something has to go out, or the headers stay in the host's buffer.
    agent.settings.clock.soon(() => {
      if (this.#open && this.#silent) output.write(HEARTBEAT);
    });
  }

  send(frames: readonly Frame[]): boolean {
    if (!this.#open) return false;
    if (frames.length === 0) return !this.#full;
    const { output, textOf, dress } = this.#parts;
    this.#silent = false;
    this.#full = !output.write(textOf(frames, dress.wrap));
    return !this.#full;
  }

  end(why: ReadEnd): void {
    if (!this.#open) return;
    const { output, dress } = this.#parts;
    this.#finish();
    const words = lastWords(why, dress);
    if (words !== '') output.write(words);
    output.end();
  }

  resume(): void {
    if (!this.#open || !this.#full) return;
    this.#full = false;
    this.#reading.resume();
  }

  close(): void {
    if (!this.#open) return;
    this.#finish();
    this.#reading.close();
  }

  #start(reply: StreamReply): Reading {
    try {
      return reply.open(this);
    } catch (thrown) {
      this.end({ kind: 'error', error: toFailure(this.#parts.agent, thrown, {}) });
      return { resume: () => {}, close: () => {} };
    }
  }

  #finish(): void {
    this.#open = false;
    this.#leave();
  }
}

function lastWords(why: ReadEnd, dress: StreamDress): string {
  switch (why.kind) {
    case 'done':
      return '';
    case 'shutdown':
      return retryFrame(500);
    case 'error':
      return errorFrame(dress.encodeError(why.error));
  }
}

/** Readers of one task are told in one go: what one of them made of a batch serves the next, which has only another envelope. */
function createFrameText(): StreamParts['textOf'] {
  let last: { readonly frames: readonly Frame[]; readonly tail: string; readonly ends: readonly string[] } | undefined;
  return (frames, wrap) => {
    if (last?.frames !== frames || last.tail !== wrap.tail) {
      for (const { json } of frames) checkOutput('StreamResponse', json);
      last = { frames, tail: wrap.tail, ends: frames.map((frame) => frameEnd(frame, wrap)) };
    }
    return wrap.head + last.ends.join(wrap.head);
  };
}
