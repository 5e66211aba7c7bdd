// `npm run install-check`: installs the packed library into empty projects, as a user does. Needs a registry.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PAGE, SERVER } from './install-check/programs.mjs';
import { build, npm, root, stop } from './setup.mjs';

/** @typedef {{ name: string, packages: string[], files: Record<string, string>, run: string[][] }} Project */

const TSC = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json'];

/**
 * A project with these major versions, installed without flags. It serves an agent and calls it.
 * @param {number} express
 * @param {number} ioredis
 * @returns {Project}
 */
const server = (express, ioredis) => ({
  name: `Express ${express} and ioredis ${ioredis}`,
  packages: [`express@${express}`, `ioredis@${ioredis}`],
  files: { 'main.mjs': SERVER },
  run: [['main.mjs', String(express), String(ioredis)]],
});

/** @type {Project} */
const page = {
  name: 'a strict page with Vite and React',
  packages: ['react', 'react-dom', 'vite', 'typescript', '@types/react', '@types/react-dom'],
  files: {
    'index.html': '<div id="root"></div><script type="module" src="/main.tsx"></script>',
    'main.tsx': PAGE,
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        target: 'ES2022',
        lib: ['ES2022', 'DOM', 'DOM.Iterable'],
        module: 'ESNext',
        moduleResolution: 'bundler',
        types: ['vite/client'],
        jsx: 'react-jsx',
        strict: true,
        noUnusedLocals: true,
        verbatimModuleSyntax: true,
        noEmit: true,
        skipLibCheck: false,
      },
      files: ['main.tsx'],
    }),
  },
  run: [TSC, ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn']],
};

if (!build()) stop('The library does not compile, see above.');
const packed = spawnSync(process.execPath, [join(root, 'scripts/check-package.mjs'), '--all'], { stdio: 'inherit' });
if (packed.status !== 0) stop('The package is not well formed, see above.');
const folder = mkdtempSync(join(tmpdir(), 'parley-install-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.once(signal, () => process.exit(130));

npm(['pack', '--silent', '--ignore-scripts', '--workspace=packages/a2a', `--pack-destination=${folder}`]);
const { version } = JSON.parse(readFileSync(join(root, 'packages/a2a/package.json'), 'utf8'));
const tarball = join(folder, `parley-a2a-${version}.tgz`);
const failed = [server(4, 5), server(5, 6), page].filter((project, index) => !check(project, join(folder, `project-${index}`)));
if (failed.length > 0) process.exitCode = 1;

/**
 * Prints one line on success, and the complete output on failure.
 * @param {Project} project
 * @param {string} at
 */
function check({ name, packages, files, run }, at) {
  const start = performance.now();
  mkdirSync(at);
  writeFileSync(join(at, 'package.json'), JSON.stringify({ name: 'project', private: true, type: 'module' }));
  for (const [path, text] of Object.entries(files)) writeFileSync(join(at, path), text);
  const cli = join(dirname(process.execPath), '../lib/node_modules/npm/bin/npm-cli.js');
  const install = [process.env.npm_execpath ?? cli, 'install', '--no-audit', '--no-fund', '--loglevel=error', tarball, ...packages];
  for (const command of [install, ...run]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: at, encoding: 'utf8' });
    if (status === 0) continue;
    console.error(`✗ ${name}: ${command.slice(0, 2).join(' ')}\n${stdout}${stderr}`);
    return false;
  }
  console.log(`✓ ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  return true;
}
