// The A2AClient of @assistant-ui/react-a2a and ours run the same tour. `npm run interop` runs it against the build and prints a table.
import * as theirs from '@assistant-ui/react-a2a';
import * as ours from '@parley/a2a/assistant-ui';
import type { Listening } from '@parley/a2a/node';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startDemo } from '../packages/demo/src/start-demo.js';
import { type Stop, setOut, TOUR, type Traveller } from '../scripts/interop/a2a-client-tour.mjs';
import { startSdkAgent } from '../scripts/interop/sdk-agent.mjs';
import { quickClock } from '../scripts/interop/second-agent.mjs';

const THEIRS: Traveller = { name: 'theirs', A2AClient: theirs.A2AClient, A2AError: theirs.A2AError };
const OURS: Traveller = { name: 'ours', A2AClient: ours.A2AClient, A2AError: ours.A2AError };

describe('the tour of A2AClient: the published client passes, ours passes, and both give the same results', () => {
  let demo: Listening;
  let sdk: Awaited<ReturnType<typeof startSdkAgent>>;
  let stops: readonly [Stop, Stop];

  beforeAll(async () => {
    demo = await startDemo({ port: 0, clock: quickClock });
    sdk = await startSdkAgent();
    const urls = { demo: demo.url, sdk: sdk.url };
    stops = [setOut(THEIRS, urls), setOut(OURS, urls)];
  });

  afterAll(() => Promise.all([demo.close({ drainMs: 0 }), sdk.close()]));

  test.each(TOUR.map(({ name, run }) => [name, run] as const))('%s', async (_name, run) => {
    const [seenByTheirs, seenByOurs] = [await run(stops[0]), await run(stops[1])];
    expect(seenByOurs).toEqual(seenByTheirs);
  });

  test('our client also runs the tour over HTTP+JSON', async () => {
    const asked = vi.spyOn(globalThis, 'fetch');
    await TOUR.find(({ name }) => name === 'sendMessage: a task')?.run(stops[1]);
    expect(asked.mock.calls.map(([url]) => new URL(String(url)).pathname)).toEqual(['/message:send']);
    asked.mockRestore();
  });

  test('the tour calls every method', () => {
    const methods = Object.getOwnPropertyNames(ours.A2AClient.prototype).filter((name) => !['constructor', 'parley'].includes(name));
    const toured = TOUR.map(({ run }) => String(run)).join('\n');
    expect(methods.filter((name) => !toured.includes(`.${name}(`))).toEqual([]);
  });
});
