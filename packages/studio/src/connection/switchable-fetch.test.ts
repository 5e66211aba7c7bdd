import { expect, test } from 'vitest';
import { pacedFetch } from './paced-fetch.js';
import { createSwitchableFetch } from './switchable-fetch.js';

/** Responds with a body that never ends and that errors when the signal aborts. */
const endless: typeof fetch = async (_input, init) => {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('first'));
      init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason));
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
};

test('while it is off, open bodies fail and new requests are refused; when it is on again, requests pass', async () => {
  const plug = createSwitchableFetch(endless);
  const reader = (await plug.fetch('http://127.0.0.1/')).body?.getReader();
  await reader?.read();
  plug.turn(false);
  await expect(reader?.read()).rejects.toThrow('switched off');
  await expect(plug.fetch('http://127.0.0.1/')).rejects.toThrow('switched off');
  plug.turn(true);
  expect((await plug.fetch('http://127.0.0.1/')).status).toBe(200);
});

test('a caller that aborts gets its own reason', async () => {
  const plug = createSwitchableFetch(
    (_input, init) => new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))),
  );
  const leaving = new AbortController();
  const asked = plug.fetch('http://127.0.0.1/', { signal: leaving.signal });
  leaving.abort(new Error('mine'));
  await expect(asked).rejects.toThrow('mine');
});

test('listeners are called once per change', () => {
  const plug = createSwitchableFetch(endless);
  const turns: boolean[] = [];
  const stop = plug.subscribe(() => turns.push(plug.isOn));
  plug.turn(false);
  plug.turn(false);
  plug.turn(true);
  stop();
  plug.turn(false);
  expect(turns).toEqual([false, true]);
});

test('a paced stream delivers every byte in order and keeps status and headers', async () => {
  const text = Array.from({ length: 50_000 }, (_, index) => `line ${index}\n`).join('');
  const send: typeof fetch = async () =>
    new Response(text, { status: 203, headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
  const response = await pacedFetch(send)('http://127.0.0.1/');
  expect(response.status).toBe(203);
  expect(await response.text()).toBe(text);
});

test('canceling a paced stream cancels its source', async () => {
  let isLeft = false;
  const cancel = () => {
    isLeft = true;
  };
  const body = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(10)), cancel });
  const response = await pacedFetch(async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }))(
    'http://127.0.0.1/',
  );
  await response.body?.cancel();
  expect(isLeft).toBe(true);
});
