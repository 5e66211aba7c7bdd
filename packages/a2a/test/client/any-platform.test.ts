/** The client runs on every platform that has `fetch`: one bundle, executed in a context without any Node API. */
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';
import type { createClient as CreateClient } from '../../src/client/create-client.js';
import { BINDINGS, serve } from './served-agent.js';

const entry = fileURLToPath(new URL('../../src/client/index.ts', import.meta.url));
/** The `imports` entry of the package resolves to this file on every platform except Node. */
const alias = { '#exchange': fileURLToPath(new URL('../../src/client/transports/default-exchange.ts', import.meta.url)) };

/** The globals that every platform has. `process`, `Buffer`, `require` and other Node globals are missing on purpose. */
const WEB = {
  AbortController,
  AbortSignal,
  DOMException,
  Headers,
  ReadableStream,
  Request,
  Response,
  TextDecoder,
  TextEncoder,
  TransformStream,
  URL,
  URLSearchParams,
  atob,
  btoa,
  clearTimeout,
  crypto,
  queueMicrotask,
  setTimeout,
  structuredClone,
};

test.each(BINDINGS)('A21: the client can send, run and list over %s with the globals that every platform has', async (binding) => {
  const bundle = await rolldown({ input: entry, platform: 'neutral', logLevel: 'silent', tsconfig: false, resolve: { alias } });
  const { output } = await bundle.generate({ format: 'iife', name: 'parley', codeSplitting: false });
  expect(output).toHaveLength(1);
  expect(output[0].imports).toEqual([]);
  const { options } = serve({}, { binding });
  const context = createContext({ ...WEB, fetch: options.fetch });
  const { createClient } = runInContext(`${output[0].code}; parley`, context) as { createClient: typeof CreateClient };

  // No fetch option: the client uses the global of the platform.
  const client = createClient('http://test');
  expect((await client.send('hi')).text).toBe('hi');
  expect((await client.run('there').result).text).toBe('there');
  let count = 0;
  for await (const _ of client.tasks()) count += 1;
  expect(count).toBe(2);
  await expect(client.getTask({ id: 'none' })).rejects.toMatchObject({ name: 'A2AError', reason: 'TASK_NOT_FOUND' });
  await client.close();
});
