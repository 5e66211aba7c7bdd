// `npm run check`: format, lint, types, package, dead code, docs, and last the tests. All of them run, whatever fails.
import { spawn } from 'node:child_process';
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
const AT_ONCE = 2;

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
failed.push(...(await runChecks()));
if ((await run(['node_modules/vitest/vitest.mjs', 'run'], 'inherit')).code !== 0) failed.push('tests');
if (failed.length > 0) console.error(`Failed: ${failed.join(', ')}`);
process.exit(failed.length > 0 ? 1 : 0);

function checkSize() {
  const { bytes, files } = measureStudio();
  const isSmall = bytes <= BUDGET_BYTES;
  const sizes = `${(bytes / 1000).toFixed(1)} of ${BUDGET_BYTES / 1000} KB of compressed JavaScript in ${files.length} files`;
  console.log(`${isSmall ? '✓' : '✗'} the first load of Studio: ${sizes}`);
  return isSmall;
}

async function runChecks() {
  /** @type {string[]} */
  const failures = [];
  const queue = [...CHECKS];
  const worker = async () => {
    for (let check = queue.shift(); check; check = queue.shift()) {
      const [name, ...commands] = check;
      if (!(await runCheck(name, commands))) failures.push(name);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return failures;
}

/**
 * Says one line when all is well, and everything that was printed when it is not.
 * @param {string} name
 * @param {string[][]} commands
 */
async function runCheck(name, commands) {
  const start = performance.now();
  for (const command of commands) {
    const { code, output } = await run(command, 'pipe');
    if (code === 0) continue;
    console.error(`✗ ${name}\n${output.trimEnd()}\n`);
    return false;
  }
  console.log(`✓ ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  return true;
}

/**
 * @param {string[]} command a script that Node runs, by its path in the repository, and its arguments
 * @param {'inherit' | 'pipe'} stdio
 * @returns {Promise<{ code: number, output: string }>}
 */
function run([script = '', ...args], stdio) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, script), ...args], { cwd: root, stdio: ['ignore', stdio, stdio] });
    let output = '';
    running.add(child);
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('close', (code) => {
      running.delete(child);
      resolve({ code: code ?? 1, output });
    });
  });
}
