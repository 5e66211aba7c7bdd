// Checks the documents: every link, path and command exists, and the TypeScript compiles against the built library.
// A block marked ```ts is a complete module. A block marked ```tsx is a complete module for a page. Any other TypeScript is marked ```ts
// fragment. The `@example` blocks of the library's source are compiled like those of the documents.
// The other words of a fence say how test/guides.test.ts runs the block.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { installHosts, linkHosts, readBlocks } from './fences.mjs';
import { root } from './setup.mjs';

const SKIPPED = ['node_modules', 'dist', 'data', 'coverage'];
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const documents = findDocuments(root);
const problems = documents.flatMap((path) => checkText(path, readFileSync(path, 'utf8')));
if (problems.length > 0) console.error(problems.join('\n'));
installHosts();
const compiled = compileSnippets('ts') && compileSnippets('tsx');
process.exit(problems.length > 0 || !compiled ? 1 : 0);

/**
 * @param {string} folder
 * @returns {string[]}
 */
function findDocuments(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name.startsWith('.') || SKIPPED.includes(entry.name) ? [] : findDocuments(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

/**
 * One line for each broken link, path or command in the document.
 * @param {string} path
 * @param {string} text
 */
function checkText(path, text) {
  const prose = text.replace(/^```\w[\s\S]*?^```$/gm, '').replace(/https?:\/\/[^\s)>`]+/g, '');
  const here = dirname(path);
  const links = matches(prose, /\]\(([^)\s]+)\)/g).filter((link) => !leadsSomewhere(path, link));
  const files = matches(prose, /(?<![\w/.@*<-])((?:[\w.-]+\/)+[\w.-]+\.(?:ts|mjs|md|json))\b/g);
  const folders = matches(prose, /`((?:packages|docs|scripts|test|examples|bench|\.ci)\/[\w./-]*)`/g);
  const homes = [root, here, join(root, 'packages/a2a/src')];
  const missing = [...files, ...folders].filter((name) => !homes.some((home) => existsSync(join(home, name))));
  const commands = matches(prose, /`npm run ([\w:-]+)/g).filter((name) => !(name in scripts));
  const lines = [
    ...links.map((link) => `broken link: ${link}`),
    ...missing.map((name) => `no such path: ${name}`),
    ...commands.map((name) => `no such script: npm run ${name}`),
  ];
  return lines.map((line) => `${relative(root, path)}: ${line}`);
}

/**
 * Whether a link points outside the repository, or to an existing file and heading.
 * @param {string} path
 * @param {string} link
 */
function leadsSomewhere(path, link) {
  if (/^[a-z]+:/.test(link)) return true;
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? path : join(dirname(path), file);
  if (!existsSync(target)) return false;
  return (
    anchor === undefined ||
    matches(readFileSync(target, 'utf8'), /^#+ (.+)$/gm)
      .map(toAnchor)
      .includes(anchor)
  );
}

/** @param {string} heading */
function toAnchor(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/**
 * @param {string} text
 * @param {RegExp} pattern
 */
function matches(text, pattern) {
  return [...text.matchAll(pattern)].map(([, group = '']) => group);
}

/**
 * Compiles each snippet as a separate module. Errors show line numbers of the document.
 * @param {'ts' | 'tsx'} kind
 */
function compileSnippets(kind) {
  const folder = join(root, `.cache/snippets/${kind}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const snippets = [...documents.flatMap((path) => findSnippets(path, kind)), ...findExamples(kind)];
  if (snippets.length === 0) return true;
  linkHosts(folder);
  for (const { page, name, code } of snippets) {
    mkdirSync(join(folder, page), { recursive: true });
    writeFileSync(join(folder, page, name), code);
  }
  const page = kind === 'tsx' ? { jsx: 'react-jsx', lib: ['ES2023', 'DOM', 'DOM.Iterable'] } : {};
  const options = { rootDir: '.', noEmit: true, moduleDetection: 'force', ...page };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ extends: '../../../tsconfig.base.json', compilerOptions: options }));
  // TypeScript 6, unlike the other checks: our declarations must compile with the version that most users have.
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.'], {
    cwd: folder,
    stdio: 'inherit',
  });
  return status === 0;
}

/**
 * The modules of one document, in a folder of their own: a block that has a file name is imported by the others.
 * @param {string} path
 * @param {'ts' | 'tsx'} kind
 */
function findSnippets(path, kind) {
  const page = relative(root, path).replaceAll(/[\\/]/g, '-');
  const blocks = readBlocks(relative(root, path), readFileSync(path, 'utf8'));
  return blocks
    .filter(({ language, isModule }) => language === kind && isModule)
    .map(({ line, file, code }) => ({
      page,
      name: file === undefined ? `line-${line}.${kind}` : file.replace(/js$/, kind),
      code: '\n'.repeat(line) + code,
    }));
}

/**
 * The `@example` blocks in the JSDoc of the library.
 * @param {'ts' | 'tsx'} kind
 */
function findExamples(kind) {
  const source = join(root, 'packages/a2a/src');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => /(?<!\.test)\.ts$/.test(file));
  return files.flatMap((file) => examplesIn(join(source, file), kind));
}

/**
 * @param {string} path
 * @param {'ts' | 'tsx'} kind
 */
function examplesIn(path, kind) {
  const text = readFileSync(path, 'utf8');
  const blocks = text.matchAll(new RegExp(`^ *\\* @example\\n *\\* \`\`\`${kind}\\n((?: *\\*.*\\n)*?) *\\* \`\`\`$`, 'gm'));
  return [...blocks].map(({ index, 1: block = '' }) => {
    const line = text.slice(0, index).split('\n').length + 1;
    const page = relative(root, path).replaceAll(/[\\/]/g, '-');
    return { page, name: `line-${line}.${kind}`, code: '\n'.repeat(line) + block.replaceAll(/^ *\* ?/gm, '') };
  });
}
