// Runs the crash test, prints the report, and fails on any violation. Uses the existing build; `npm run crash` builds first.
import { stop } from '../setup.mjs';
import { readOptions } from './options.mjs';
import { report } from './report.mjs';
import { run } from './run.mjs';

const interrupted = new AbortController();
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.once(signal, () => interrupted.abort(signal));

const options = parseOptions();
const { rounds, seed, streams, questions } = options;
console.log(`${rounds} kills; ${streams} callers with streams, ${questions} with questions; --seed ${seed}\n`);
const start = performance.now();
const outcome = await run(options, interrupted.signal).catch((error) => stop(`The run was aborted: ${error.stack ?? error}`));
report(outcome, (performance.now() - start) / 1_000);
process.exitCode = outcome.world.findings.isClean ? 0 : 1;

function parseOptions() {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    return stop(error instanceof Error ? error.message : String(error));
  }
}
