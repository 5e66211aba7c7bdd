/**
 * Writes server-sent events. `id:` comes after `data:`, so that all readers of one event share the end of its frame: only the envelope
 * before the payload differs between them.
 */

/** The text around the payload of every frame of one stream. */
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

/** A frame with the payload alone. */
export const BARE_FRAME: FrameWrap = { head: 'data: ', tail: '' };

/** Prevents proxies and clients from closing an idle stream. */
export const HEARTBEAT = ': \n\n';

/** The frame from the payload to its end. */
export function frameEnd(frame: SseFrame, wrap: FrameWrap): string {
  if (frame.seq === undefined) return `${frame.json}${wrap.tail}\n\n`;
  return `${frame.json}${wrap.tail}\nid: ${frame.seq}\n\n`;
}

/** The last frame of a failed stream: `json` is the complete error body of the binding. */
export function errorFrame(json: string): string {
  return `event: error\ndata: ${json}\n\n`;
}

/** Tells the reader how long to wait before it connects again. */
export function retryFrame(milliseconds: number): string {
  return `retry: ${milliseconds}\n\n`;
}
