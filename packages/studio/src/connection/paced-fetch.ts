/**
 * A `fetch` that keeps the page responsive during event streams. Without it, events that piled up while the page was busy would be read in
 * one go, without a frame in between. Reading pauses after every `WORK_MS`, so that the browser can draw and handle input.
 */
const WORK_MS = 20;

/** Splits a large chunk: this many bytes are read and shown within a few milliseconds. */
const PIECE_BYTES = 32_768;

export function pacedFetch(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    return isStream && response.body ? paced(response, response.body) : response;
  };
}

function paced(response: Response, body: ReadableStream<Uint8Array>): Response {
  const reader = body.getReader();
  let rest: Uint8Array | undefined;
  let since = performance.now();
  const slow = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (performance.now() - since > WORK_MS) {
          await nextTask();
          since = performance.now();
        }
        const { value, done } = rest ? { value: rest, done: false } : await reader.read();
        if (done || !value) return controller.close();
        rest = value.length > PIECE_BYTES ? value.subarray(PIECE_BYTES) : undefined;
        controller.enqueue(value.subarray(0, PIECE_BYTES));
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  const { status, statusText, headers, url } = response;
  return Object.defineProperty(new Response(slow, { status, statusText, headers }), 'url', { value: url });
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
