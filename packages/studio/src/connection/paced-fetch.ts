/**
 * A `fetch` whose event streams let the page breathe. What has piled up while the page was busy would be read in one go, without a single
 * frame in between: here reading stops every few milliseconds, for as long as it takes to draw and to look at the keyboard.
 */
const WORK_MS = 20;

/** Of what came at once; so much is read and shown in a few milliseconds. */
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
