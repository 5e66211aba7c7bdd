// Runs the client and the server of the official SDK 0.3.14 against the sources. `npm run interop` runs the same cases against the build.
import { type Listening, listen } from '@parley/a2a/node';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { startDemo } from '../packages/demo/src/start-demo.js';
import { createSecondAgent, quickClock } from '../scripts/interop/second-agent.mjs';
import { BINDINGS } from '../scripts/interop/target.mjs';
import { casesFor } from '../scripts/interop/v03/cases.mjs';
import { OUR_V03_CASES, reachV03, type Urls } from '../scripts/interop/v03/our-client-cases.mjs';
import { createPartsAgent } from '../scripts/interop/v03/parts-agent.mjs';
import { quiet } from '../scripts/interop/v03/quiet.mjs';
import { startSdkAgents } from '../scripts/interop/v03/sdk-agent.mjs';
import { connectV03, type Target } from '../scripts/interop/v03/target.mjs';

describe.each(BINDINGS)('the client of the official SDK 0.3.14 over %s', (binding) => {
  let agents: readonly Listening[];
  let target: Target;
  let restore: () => void;

  beforeAll(async () => {
    restore = quiet();
    const demo = await startDemo({ port: 0, clock: quickClock });
    const [second, parts] = await Promise.all([listen(createSecondAgent(), { port: 0 }), listen(createPartsAgent(), { port: 0 })]);
    agents = [demo, second, parts];
    target = await connectV03(binding, { demo: demo.url, second: second.url, parts: parts.url });
  });

  afterAll(async () => {
    await Promise.all(agents.map((agent) => agent.close({ drainMs: 0 })));
    restore();
  });

  test.concurrent.each(casesFor(binding).map(({ name, run }) => [name, run] as const))('%s', (_name, run) => run(target));
});

describe.each(BINDINGS)('our client over %s against the server of the official SDK 0.3.14', (binding) => {
  let agents: Awaited<ReturnType<typeof startSdkAgents>>;
  let urls: Urls;
  let restore: () => void;

  beforeAll(async () => {
    restore = quiet();
    agents = await startSdkAgents();
    urls = agents.urls;
  });

  afterAll(async () => {
    await agents.close();
    restore();
  });

  test.concurrent.each(OUR_V03_CASES.map(({ name, run }) => [name, run] as const))('%s', (_name, run) => run(reachV03(binding, urls)));
});
