/** The bodies of replies as web streams, which apply the back-pressure of the host. */
import { isHeartbeat } from '../../bindings/event-stream.js';
import type { HeldBytes, WireOutput, WireReading, WireStream } from '../../wire/http.js';
import { SLICE_BYTES, sliceEnd } from '../../wire/slice-end.js';

const HIGH_WATER_BYTES = 64 * 1024;

/** A long text in slices, each encoded when the host has room for it. */
export function toSlices(text: string, held: HeldBytes | undefined): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let at = 0;
  held?.set(text.length);
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const end = sliceEnd(text, at, SLICE_BYTES);
        controller.enqueue(encoder.encode(text.slice(at, end)));
        at = end;
        held?.set(text.length - at);
        if (at === text.length) controller.close();
      },
      cancel: () => held?.set(0),
    },
    { highWaterMark: 0 },
  );
}

/** Resumes the reader when the host has room, and closes it when the host cancels the body. */
export function toReadable(stream: WireStream, held: HeldBytes | undefined): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let reading: WireReading | undefined;
  let open = true;
  let begun = false; // until the first event, the bytes that were reserved for it stay counted
  const count = (room: number | null): void => {
    if (begun && held !== undefined && (held.bytes > 0 || (room ?? 0) <= 0)) held.set(Math.max(0, HIGH_WATER_BYTES - (room ?? 0)));
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const output: WireOutput = {
          write(text) {
            if (!open) return false;
            if (!begun) begun = !isHeartbeat(text);
            controller.enqueue(encoder.encode(text));
            count(controller.desiredSize);
            return (controller.desiredSize ?? 0) > 0;
          },
          end() {
            if (open) controller.close();
            open = false;
            held?.set(0);
          },
        };
        reading = stream.open(output);
      },
      pull(controller) {
        count(controller.desiredSize);
        reading?.resume();
      },
      cancel() {
        open = false;
        held?.set(0);
        reading?.close();
      },
    },
    { highWaterMark: HIGH_WATER_BYTES, size: (chunk) => chunk?.byteLength ?? 0 },
  );
}
