// Starts the agents as they were built, runs every case over every binding, prints what held, and fails when something did not.
import { listen } from '@parley/a2a/node';
import { startDemo } from '../../packages/demo/dist/start-demo.js';
import { CASES } from './cases.mjs';
import { createSecondAgent, quickClock } from './second-agent.mjs';
import { BINDINGS, connect } from './target.mjs';

const demo = await startDemo({ port: 0, clock: quickClock });
const second = await listen(createSecondAgent(), { port: 0 });
/** @type {{ name: string, outcomes: (Error | undefined)[] }[]} */
const rows = [];
try {
  const targets = await Promise.all(BINDINGS.map((binding) => connect(binding, { demo: demo.url, second: second.url })));
  for (const { name, run } of CASES) rows.push({ name, outcomes: await Promise.all(targets.map((target) => attempt(run(target)))) });
} finally {
  await Promise.all([demo.close({ drainMs: 0 }), second.close({ drainMs: 0 })]);
}
report();

/**
 * @param {Promise<void>} running
 * @returns {Promise<Error | undefined>} what went wrong
 */
async function attempt(running) {
  try {
    await running;
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function report() {
  const width = Math.max(...rows.map(({ name }) => toTitle(name).length));
  const line = (/** @type {string} */ name, /** @type {readonly string[]} */ cells) =>
    console.log([name.padEnd(width), ...cells.map((cell) => cell.padEnd(9))].join('  ').trimEnd());
  line('', BINDINGS);
  for (const { name, outcomes } of rows)
    line(
      toTitle(name),
      outcomes.map((error) => (error ? 'FAILED' : 'ok')),
    );
  const outcomes = rows.flatMap((row) => row.outcomes);
  const failed = outcomes.filter((error) => error !== undefined).length;
  console.log(`\n${outcomes.length - failed} of ${outcomes.length} ok, with @a2a-js/sdk against Parley`);
  for (const row of rows) {
    for (const [index, error] of row.outcomes.entries()) if (error) console.error(`\n✗ ${row.name} (${BINDINGS[index]})\n${error.stack}`);
  }
  process.exitCode = failed > 0 ? 1 : 0;
}

/**
 * A name without the row of the test plan in front of it.
 * @param {string} name
 */
function toTitle(name) {
  return name.replace(/^[A-Z]\d+: /, '');
}
