// `npm run check`: builds, measures Studio, and runs format, lint, types, package, dead code, docs, words and behaviors in parallel with
// the tests. All of them run, even if one fails.
import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { buildStudio } from './build-studio.mjs';
import { BUDGET_BYTES, measureStudio } from './check-studio.mjs';
import { installHosts } from './fences.mjs';
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
  ['words', ['scripts/check-words.mjs']],
  ['behaviors', ['scripts/behaviours.mjs', '--check']],
];
/** The checks run at low priority: they use the time in which tests wait, and do not disturb tests that measure time. */
const NICENESS = 10;

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.once(signal, () => {
    for (const child of running) child.kill(signal);
    process.exit(signal === 'SIGINT' ? 130 : 143);
  });
}

installHosts();
// The first check needs no build and runs beside it. The others start after it, because the build blocks this process.
const checking = runChecks();
const failed = build() ? [] : ['build'];
if (!buildStudio() || !checkSize()) failed.push('Studio');
if ((await run(['node_modules/vitest/vitest.mjs', 'run'])).code !== 0) failed.push('tests');
for (const { name, isRight, output } of await checking) {
  // Printed after the tests, because the test output would hide or overwrite it.
  console[isRight ? 'log' : 'error'](output);
  if (!isRight) failed.push(name);
}
if (failed.length > 0) console.error(`Failed: ${failed.join(', ')}`);
process.exit(failed.length > 0 ? 1 : 0);

function checkSize() {
  const { bytes, files } = measureStudio();
  const isSmall = bytes <= BUDGET_BYTES;
  const sizes = `${(bytes / 1000).toFixed(1)} of ${BUDGET_BYTES / 1000} KB of compressed JavaScript in ${files.length} files`;
  console.log(`${isSmall ? '✓' : '✗'} Studio, first load: ${sizes}`);
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
 * Returns one line on success, and the complete output on failure.
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
 * @param {string[]} command path of a script for Node, relative to the root, and its arguments
 * @param {{ isBeside?: boolean }} [options] `isBeside`: capture the output and run at low priority
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
