// Runs the official client and server against the sources. `npm run interop` runs the same cases against the build and prints a table.
import { type Listening, listen } from '@parley/a2a/node';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { startDemo } from '../packages/demo/src/start-demo.js';
import { CASES } from '../scripts/interop/cases.mjs';
import { OUR_CASES, reach } from '../scripts/interop/our-client-cases.mjs';
import { startSdkAgent } from '../scripts/interop/sdk-agent.mjs';
import { createSecondAgent, quickClock } from '../scripts/interop/second-agent.mjs';
import { BINDINGS, connect, type Target } from '../scripts/interop/target.mjs';

/** The default card, and the one that runs of the conformance tests of 1.0 use. */
const CARDS = [
  ['default', true],
  ['strict', { card: 'strict' }],
] as const;

describe.each(CARDS.flatMap(([card, compat]) => BINDINGS.map((binding) => ({ card, compat, binding }))))(
  'the official client over $binding, with the $card card',
  ({ compat, binding }) => {
    let agents: readonly Listening[];
    let target: Target;

    beforeAll(async () => {
      const demo = await startDemo({ port: 0, clock: quickClock, compat });
      const second = await listen(createSecondAgent({ compat }), { port: 0 });
      agents = [demo, second];
      target = await connect(binding, { demo: demo.url, second: second.url });
    });

    afterAll(() => Promise.all(agents.map((agent) => agent.close({ drainMs: 0 }))));

    test.concurrent.each(CASES.map(({ name, run }) => [name, run] as const))('%s', (_name, run) => run(target));
  },
);

describe.each(BINDINGS)('our client over %s against the official server', (binding) => {
  let agents: Awaited<ReturnType<typeof startSdkAgent>>[];
  let urls: { readonly streaming: string; readonly calm: string };

  beforeAll(async () => {
    agents = await Promise.all([startSdkAgent(), startSdkAgent({ streaming: false })]);
    urls = { streaming: agents[0]?.url ?? '', calm: agents[1]?.url ?? '' };
  });

  afterAll(() => Promise.all(agents.map((agent) => agent.close())));

  test.concurrent.each(OUR_CASES.map(({ name, run }) => [name, run] as const))('%s', (_name, run) => run(reach(binding, urls)));
});
