/**
 * Runs the programs of README.md and docs/guides/*.md. The words of a fence say how; `npm run check` compiles all of these blocks too.
 *
 * | fence | meaning |
 * |---|---|
 * | `ts` | a whole module, compiled only (it needs a database, a cloud or a model, or it only exports) |
 * | `ts fragment` | not a module: neither compiled nor run |
 * | `ts run` | a program that ends with exit code 0 |
 * | `ts run=agent` | a server; it has to listen, then the `run=caller` blocks behind it run, then it is stopped |
 * | `ts run=caller` | a program that calls the `run=agent` block above it and ends with exit code 0 |
 * | `expect="text"` | the program prints this; may be repeated |
 * | `input="text"` | the line that is typed when the program prints a prompt, which ends in `? ` or `: ` |
 * | `file=agent.js` | the name under which other blocks of the page import it: `import … from './agent.js'`; with or without `run` |
 * | `tsx` | a page, compiled only |
 *
 * Write the ports as readers see them, for example 4000: a free port replaces the port of `listen`, and the one behind `127.0.0.1:` or
 * `localhost:`, for all blocks of a page. Programs run in a folder of their own. They use the built library, and every message that an
 * agent sends is checked against the schema. An unknown word is an error (`scripts/fences.mjs`).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Block, installHosts, linkHosts, readBlocks } from '../scripts/fences.mjs';
import { ownPort } from '../scripts/own-port.mjs';

const root = new URL('../', import.meta.url);
const PAGES = ['README.md', ...readdirSync(new URL('docs/guides/', root)).map((name) => `docs/guides/${name}`)];
const PORTS = fileURLToPath(new URL('guides/ports.mjs', import.meta.url));
const ADDRESS = /(?<=(?:127\.0\.0\.1|localhost):)\d+/g;
const PROMPT = /[?:] $/;
const PATIENCE_MS = 20_000;

interface Program {
  readonly child: ChildProcess;
  /** Everything it printed, errors included. */
  readonly output: () => string;
  readonly listens: Promise<void>;
  readonly ended: Promise<number | NodeJS.Signals | null>;
}

/** Programs that belong together: an agent and its callers, or one program. */
function groupsOf(blocks: readonly Block[]): readonly (readonly Block[])[] {
  const groups: Block[][] = [];
  for (const block of blocks.filter(({ run }) => run !== undefined)) {
    const before = groups.at(-1);
    if (block.run !== 'caller') groups.push([block]);
    else if (before?.[0]?.run === 'agent') before.push(block);
    else throw new Error(`line ${block.line}: a run=caller block needs a run=agent block above it`);
  }
  return groups;
}

const nameOf = ({ file, line }: Block): string => file ?? `line-${line}.js`;

/** Writes all modules of the page as JavaScript, with the ports of this run. */
function writePage(page: string, blocks: readonly Block[], ports: Readonly<Record<string, number>>): URL {
  const folder = new URL(`.cache/guides/${page.replaceAll('/', '-')}/`, root);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  linkHosts(fileURLToPath(folder));
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true };
  for (const block of blocks.filter(({ language, isModule }) => language === 'ts' && isModule)) {
    const code = block.code.replaceAll(ADDRESS, (port) => String(ports[port] ?? port));
    writeFileSync(new URL(nameOf(block), folder), ts.transpileModule(code, { compilerOptions }).outputText);
  }
  return folder;
}

function start(block: Block, folder: URL, ports: Readonly<Record<string, number>>): Program {
  const file = fileURLToPath(new URL(nameOf(block), folder));
  const child = spawn(process.execPath, ['--conditions=check-output', '--import', PORTS, file], {
    cwd: dirname(file),
    env: { ...process.env, GUIDE_PORTS: JSON.stringify(ports) },
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      printed += text;
      if (PROMPT.test(printed) && child.stdin?.writable) child.stdin.end(`${block.input}\n`);
    });
  }
  if (block.input === undefined) child.stdin?.end();
  return {
    child,
    output: () => printed,
    listens: new Promise((resolve) => child.once('message', () => resolve())),
    ended: new Promise((resolve) => child.once('close', (code, signal) => resolve(signal ?? code))),
  };
}

/** Fails with everything that the program printed, and with the place of its block. */
function check(page: string, { line, expect: texts }: Block, problem: string | undefined, output: string): void {
  const missing = texts.find((text) => !output.includes(text));
  const said = problem ?? (missing === undefined ? undefined : `did not print ${JSON.stringify(missing)}`);
  if (said !== undefined) throw new Error(`The program at ${page}:${line} ${said}. It printed:\n${output}`);
}

async function runToItsEnd(page: string, block: Block, folder: URL, ports: Readonly<Record<string, number>>): Promise<void> {
  const { ended, output } = start(block, folder, ports);
  const code = await within(ended);
  check(page, block, code === 0 ? undefined : code === LATE ? 'did not end' : `ended with ${code}`, output());
}

async function runGroup(page: string, group: readonly Block[], folder: URL, ports: Readonly<Record<string, number>>): Promise<void> {
  const [first, ...callers] = group;
  if (first === undefined) return;
  if (first.run !== 'agent') return runToItsEnd(page, first, folder, ports);
  const agent = start(first, folder, ports);
  const early = await within(Promise.race([agent.listens, agent.ended]));
  check(
    page,
    { ...first, expect: [] },
    early === undefined ? undefined : early === LATE ? 'did not listen' : `ended with ${early}`,
    agent.output(),
  );
  for (const caller of callers) await runToItsEnd(page, caller, folder, ports);
  check(page, { ...first, expect: [] }, agent.child.exitCode === null ? undefined : `ended with ${agent.child.exitCode}`, agent.output());
  agent.child.kill();
  await within(agent.ended);
  check(page, first, undefined, agent.output());
}

const LATE = 'late';

async function within<T>(promise: Promise<T>): Promise<T | typeof LATE> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(() => resolve(LATE), PATIENCE_MS);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

beforeAll(installHosts, 120_000);

const pages = PAGES.map((page) => {
  const blocks = readBlocks(page, readFileSync(new URL(page, root), 'utf8'));
  return { page, blocks, groups: groupsOf(blocks) };
}).filter(({ groups }) => groups.length > 0);

describe.each(pages)('$page', ({ page, blocks, groups }) => {
  test('its programs run', async () => {
    const named = blocks.flatMap(({ code }) => code.match(ADDRESS) ?? []);
    const ports: Record<string, number> = {};
    for (const port of new Set(['4000', ...named])) ports[port] = await ownPort();
    const folder = writePage(page, blocks, ports);
    for (const group of groups) await runGroup(page, group, folder, ports);
  }, 120_000);
});

describe('fences', () => {
  const read = (fence: string): readonly Block[] => readBlocks('page.md', `\`\`\`${fence}\ncode\n\`\`\`\n`);

  test('a fence says how its block runs', () => {
    expect(read('ts run expect="two words" expect=one')).toMatchObject([{ run: 'alone', expect: ['two words', 'one'], isModule: true }]);
    expect(read('ts run=agent file=agent.js')).toMatchObject([{ run: 'agent', file: 'agent.js' }]);
    expect(read('ts fragment')).toMatchObject([{ isModule: false }]);
    expect(read('sh anything')).toEqual([]);
  });

  test.each(['ts runs', 'ts run=server', 'tsx run', 'ts file=../agent.js', 'ts fragment run', 'ts expect="text"', 'js'])(
    'the fence "%s" is an error that names its place',
    (fence) => {
      expect(() => read(fence)).toThrow(/^page\.md:1: /);
    },
  );

  test('a caller without an agent is an error', () => {
    expect(() => groupsOf(read('ts run=caller'))).toThrow('needs a run=agent block above it');
  });
});
