/** Counts the open streams: an unmounted page must have none. */

export interface CountingFetch {
  readonly fetch: typeof fetch;
  readonly openStreams: number;
  /** The maximum at one time. */
  readonly mostStreams: number;
}

export function countStreams(inner: typeof fetch): CountingFetch {
  let open = 0;
  let most = 0;
  const counted = (body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> => {
    const reader = body.getReader();
    let isOpen = true;
    open += 1;
    most = Math.max(most, open);
    const end = (): void => {
      if (isOpen) open -= 1;
      isOpen = false;
    };
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          end();
          controller.close();
        } catch (error) {
          end();
          throw error;
        }
      },
      cancel(reason) {
        end();
        return reader.cancel(reason);
      },
    });
  };
  return {
    async fetch(...args) {
      const response = await inner(...args);
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
      if (!isStream || response.body === null) return response;
      return new Response(counted(response.body), { status: response.status, headers: response.headers });
    },
    get openStreams() {
      return open;
    },
    get mostStreams() {
      return most;
    },
  };
}
