// `npm run check`: format, lint, types, package, dead code and docs, beside the tests. All of them run, whatever fails.
import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { buildStudio } from './build-studio.mjs';
import { BUDGET_BYTES, measureStudio } from './check-studio.mjs';
import { build, root } from './setup.mjs';

const TSC = 'node_modules/typescript-next/bin/tsc';

/** @type {[name: string, ...commands: string[][]][]} */
const CHECKS = [
  ['format and lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '.']],
  ['types', [TSC, '-p', 'packages/a2a'], [TSC, '-p', 'packages/demo'], [TSC, '-p', '.']],
  ['types of Studio', [TSC, '-p', 'packages/studio'], [TSC, '-p', 'packages/studio/tsconfig.tools.json'], [TSC, '-p', 'scripts/e2e']],
  ['package', ['scripts/check-package.mjs']],
  ['dead code', ['node_modules/knip/bin/knip.js']],
  ['docs', ['scripts/check-docs.mjs']],
];
/** Many tests wait. The checks use that time, and give way when a test has work: some tests measure how long something takes. */
const NICENESS = 10;

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.once(signal, () => {
    for (const child of running) child.kill(signal);
    process.exit(signal === 'SIGINT' ? 130 : 143);
  });
}

const failed = build() ? [] : ['build'];
if (!buildStudio() || !checkSize()) failed.push('Studio');
const checking = runChecks();
if ((await run(['node_modules/vitest/vitest.mjs', 'run'])).code !== 0) failed.push('tests');
for (const { name, isRight, output } of await checking) {
  // Said at the end: between the lines of the tests it would be overlooked, or drawn over.
  console[isRight ? 'log' : 'error'](output);
  if (!isRight) failed.push(name);
}
if (failed.length > 0) console.error(`Failed: ${failed.join(', ')}`);
process.exit(failed.length > 0 ? 1 : 0);

function checkSize() {
  const { bytes, files } = measureStudio();
  const isSmall = bytes <= BUDGET_BYTES;
  const sizes = `${(bytes / 1000).toFixed(1)} of ${BUDGET_BYTES / 1000} KB of compressed JavaScript in ${files.length} files`;
  console.log(`${isSmall ? '✓' : '✗'} the first load of Studio: ${sizes}`);
  return isSmall;
}

/** @typedef {{ name: string, isRight: boolean, output: string }} Checked */

async function runChecks() {
  /** @type {Checked[]} */
  const checked = [];
  for (const [name, ...commands] of CHECKS) checked.push(await runCheck(name, commands));
  return checked;
}

/**
 * One line when all is well, and everything that was printed when it is not.
 * @param {string} name
 * @param {string[][]} commands
 * @returns {Promise<Checked>}
 */
async function runCheck(name, commands) {
  const start = performance.now();
  for (const command of commands) {
    const { code, output } = await run(command, { isBeside: true });
    if (code !== 0) return { name, isRight: false, output: `✗ ${name}\n${output.trimEnd()}\n` };
  }
  return { name, isRight: true, output: `✓ ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)` };
}

/**
 * @param {string[]} command a script that Node runs, by its path in the repository, and its arguments
 * @param {{ isBeside?: boolean }} [options] `isBeside`: what it prints is kept, and other work has priority
 * @returns {Promise<{ code: number, output: string }>}
 */
function run([script = '', ...args], { isBeside = false } = {}) {
  return new Promise((resolve) => {
    const stdio = isBeside ? 'pipe' : 'inherit';
    const child = spawn(process.execPath, [join(root, script), ...args], { cwd: root, stdio: ['ignore', stdio, stdio] });
    if (isBeside && child.pid !== undefined) setPriority(child.pid, NICENESS);
    let output = '';
    running.add(child);
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('close', (code) => {
      running.delete(child);
      resolve({ code: code ?? 1, output });
    });
  });
}
