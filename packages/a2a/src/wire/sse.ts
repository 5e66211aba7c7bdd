/**
 * Server-sent events as text. `id:` comes after `data:`, so that all readers of one event share the end of its frame: only
 * what stands in front of the payload, the envelope, differs between them.
 */

/** What the payload of every frame of one stream is wrapped in. */
export interface FrameWrap {
  /** From the start of the frame to the payload. */
  readonly head: string;
  /** From the payload to the end of its line. */
  readonly tail: string;
}

/** One event. Payloads are JSON texts without line breaks. */
export interface SseFrame {
  readonly json: string;
  readonly seq?: number;
}

/** A frame that holds the bare payload. */
export const BARE_FRAME: FrameWrap = { head: 'data: ', tail: '' };

/** Keeps proxies and clients from taking silence for death. */
export const HEARTBEAT = ': \n\n';

/** Everything of a frame from the payload on. */
export function frameEnd(frame: SseFrame, wrap: FrameWrap): string {
  if (frame.seq === undefined) return `${frame.json}${wrap.tail}\n\n`;
  return `${frame.json}${wrap.tail}\nid: ${frame.seq}\n\n`;
}

/** The last frame of a stream that failed: `json` is the binding's whole error body. */
export function errorFrame(json: string): string {
  return `event: error\ndata: ${json}\n\n`;
}

/** Tells the reader how long to wait before it connects again. */
export function retryFrame(milliseconds: number): string {
  return `retry: ${milliseconds}\n\n`;
}
