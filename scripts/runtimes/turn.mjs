// One streaming turn with one connection cut. It runs on every platform and does not know which.
import { createClient } from '@parley/a2a/client';

/** The first stream is cut after this many bytes. */
const CUT_AFTER_BYTES = 4_000;

/**
 * @typedef {{ state: string, text: string, told: string[], reconnects: number, cuts: number }} Outcome the result of a turn
 * @param {string} url
 * @param {string} words
 * @param {{ cut: boolean }} options
 * @returns {Promise<Outcome>}
 */
export async function runOnce(url, words, { cut }) {
  const cutter = createCutter();
  const client = createClient(url, cut ? { fetch: cutter.fetch } : {});
  /** @type {string[]} */
  const told = [];
  let text = '';
  let reconnects = 0;
  const run = client.run(words, { reconnect: { initialDelayMs: 50 } });
  for await (const update of run) {
    if (update.kind === 'text') text += update.delta;
    if (update.kind === 'reconnect') reconnects += 1;
    if (update.kind !== 'reconnect') told.push(`${update.seq} ${update.kind}`);
  }
  const reply = await run.result;
  await client.close();
  return { state: reply.kind === 'task' ? reply.state : reply.kind, text, told, reconnects, cuts: cutter.cuts };
}

/** The platform's fetch, except that its first stream is cut. */
function createCutter() {
  const cutter = {
    cuts: 0,
    /** @type {typeof fetch} */
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
      if (!isStream || response.body === null || cutter.cuts > 0) return response;
      cutter.cuts += 1;
      const { status, headers } = response;
      return new Response(cutAfter(response.body, CUT_AFTER_BYTES), { status, headers });
    },
  };
  return cutter;
}

/**
 * @param {ReadableStream<Uint8Array>} body
 * @param {number} bytes
 */
function cutAfter(body, bytes) {
  const reader = body.getReader();
  let left = bytes;
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) return controller.close();
      controller.enqueue(value.subarray(0, left));
      left -= value.byteLength;
      if (left > 0) return;
      controller.error(new Error('cut'));
      await reader.cancel().catch(() => {});
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
