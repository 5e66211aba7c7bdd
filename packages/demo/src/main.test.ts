// Tests of the built program, as `npm start` runs it.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Task } from '@parley/a2a';
import { afterAll, afterEach, expect, test } from 'vitest';
import { connect, outline, readJson } from '../test/client.js';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

interface Program {
  /** Resolves with everything printed so far, as soon as it matches. */
  until(printed: RegExp): Promise<RegExpExecArray>;
  kill(signal: NodeJS.Signals): void;
  readonly exited: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
}

const children = new Set<ChildProcess>();

afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
});

const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-demo-'));
  folders.push(folder);
  return folder;
}

function run(env: Readonly<Record<string, string>>, cwd = newFolder()): Program {
  const child = spawn(process.execPath, ['--conditions=check-output', MAIN], { env: { ...process.env, ...env }, cwd });
  children.add(child);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const exited: Program['exited'] = new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
  return {
    exited,
    kill: (signal) => child.kill(signal),
    until: (printed) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = printed.exec(stdout);
          if (found) resolve(found);
        };
        child.stdout.on('data', look);
        child.on('close', () => reject(new Error(`it ended before it printed ${printed}: ${stdout}${stderr}`)));
        look();
      }),
  };
}

const LISTENS = /open {3}(http:\S+)[\s\S]*More commands.*\n/;

test('it prints URLs and commands, and keeps its tasks in the data folder', async () => {
  const cwd = newFolder();
  const program = run({ PORT: '0', PARLEY_DATA: './elsewhere' }, cwd);
  const [text, url = ''] = await program.until(LISTENS);
  expect(text).toContain(`${url}/.well-known/agent-card.json`);
  expect(text).toContain('./elsewhere');
  expect(text.match(/^curl|^TASK=/gm)).toHaveLength(4);
  expect((await readJson(await fetch(`${url}/.well-known/agent-card.json`))).name).toBe('Parley demo');
  expect([existsSync(join(cwd, 'data')), existsSync(join(cwd, 'elsewhere', 'agent.db'))]).toEqual([false, true]);
});

test('D14: after a kill while it waits for an answer, the next start still waits, and continues with the answer', async () => {
  const cwd = newFolder();
  const first = run({ PORT: '0' }, cwd);
  const [, url = ''] = await first.until(LISTENS);
  const { task } = await connect(url).send('question');
  first.kill('SIGKILL');
  await first.exited;
  const [, again = ''] = await run({ PORT: '0' }, cwd).until(LISTENS);
  const answered = await connect(again).send('Lisbon', { taskId: task.id });
  expect(answered.task.status).toMatchObject({ state: 'TASK_STATE_COMPLETED' });
  const events = await connect(again).subscribe(task.id, 0);
  expect(
    outline(events).filter((state) => state === 'INPUT_REQUIRED'),
    'asked once',
  ).toHaveLength(1);
});

test('D18: after a kill during a story, the next start tells the whole story', { timeout: 30_000 }, async () => {
  const cwd = newFolder();
  const first = run({ PORT: '0' }, cwd);
  const [, url = ''] = await first.until(LISTENS);
  const { task } = await connect(url).send('story', { returnImmediately: true });
  first.kill('SIGKILL');
  await first.exited;
  const [, again = ''] = await run({ PORT: '0' }, cwd).until(LISTENS);
  const [undisturbed] = await Promise.all([connect(again).send('story'), connect(again).subscribe(task.id, 0)]);
  const { artifacts } = await readJson(await fetch(`${again}/tasks/${task.id}`, { headers: { 'a2a-version': '1.0' } }));
  expect(toText(artifacts)).toBe(toText(undisturbed.task.artifacts));
});

test('D12: a second demo on the same folder prints one line that names the holder, with exit code 1', async () => {
  const cwd = newFolder();
  await run({ PORT: '0' }, cwd).until(LISTENS);
  const { code, stderr } = await run({ PORT: '0' }, cwd).exited;
  expect(code).toBe(1);
  expect(stderr).toMatch(/^.*agent\.db .*process.*PARLEY_DATA=.*\n$/);
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} ends streams and the process, with exit code 0`, async () => {
    const program = run({ PORT: '0' });
    const [, url = ''] = await program.until(LISTENS);
    const { task } = await connect(url).send('slow 60', { returnImmediately: true });
    const watching = connect(url).subscribe(task.id);
    await connect(url).send('help');
    program.kill(signal);
    program.kill(signal); // npm and the terminal may both forward it
    const { code, stdout, stderr } = await program.exited;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/\nStopped\.\n$/);
    expect(stdout.match(/Stopped/g)).toHaveLength(1);
    expect(outline(await watching)).not.toContain('COMPLETED');
  });
}

test('a crash is printed to stderr: its reason, where it happened, and the error', async () => {
  const program = run({ PORT: '0' });
  const [, url = ''] = await program.until(LISTENS);
  const { task } = await connect(url).send('crash');
  program.kill('SIGTERM');
  const { stderr } = await program.exited;
  expect(stderr).toMatch(/^INTERNAL_ERROR \{/);
  expect(stderr).toContain(`taskId: '${task.id}'`);
  expect(stderr).toMatch(/Error: This is the crash that was asked for[\s\S]*crash\.js/);
});

test('a port in use prints one line, with exit code 1', async () => {
  const server = createServer();
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)); // a TCP server has an address with a port
  });
  try {
    const { code, stderr } = await run({ PORT: String(port) }).exited;
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `Port ${port} is in use. Stop the program that uses it, or choose another port with PORT=${port + 1} npm start.\n`,
    });
  } finally {
    server.close();
  }
});

test.each(['abc', '-1', '65536', '4000.5', '0x10'])('PORT=%s prints one line, with exit code 1', async (port) => {
  const { code, stderr } = await run({ PORT: port }).exited;
  expect(code).toBe(1);
  expect(stderr).toBe(`PORT must be a whole number from 0 to 65535, got "${port}".\n`);
});

test.each([
  ['PARLEY_STORE', 'mysql://ada:hunter2@db/parley'],
  ['PARLEY_STORE', 'hunter2'],
  ['PARLEY_STORE', './agent.db'],
  ['PARLEY_BUS', 'http://:hunter2@cache:6379'],
])('%s=%s prints one line without the password, with exit code 1', async (name, value) => {
  const { code, stderr } = await run({ PORT: '0', [name]: value }).exited;
  expect(code).toBe(1);
  expect(stderr).toMatch(
    new RegExp(`^${name} must be the URL of a (PostgreSQL database|Redis server), such as \\S+\\. The value is not shown.*\n$`),
  );
  expect(stderr).not.toContain('hunter2');
});

test('an unreachable database prints one line without the password, with exit code 1', async () => {
  const { code, stderr } = await run({ PORT: '0', PARLEY_STORE: 'postgresql://ada:hunter2@127.0.0.1:9/parley' }).exited;
  expect(code).toBe(1);
  expect(stderr).toMatch(/^The tasks cannot be stored in postgresql:\/\/127\.0\.0\.1:9\/parley: .*PARLEY_STORE to its URL\.\n$/);
});

test('a bus without a shared store prints one line, with exit code 1', async () => {
  const { code, stderr } = await run({ PORT: '0', PARLEY_BUS: 'redis://localhost:6379' }).exited;
  expect(code).toBe(1);
  expect(stderr).toMatch(/^PARLEY_BUS is for many nodes.*PARLEY_STORE=postgresql:.*\n$/);
});

test('an address of another machine prints one line, with exit code 1', async () => {
  const { code, stderr } = await run({ PORT: '0', HOST: '192.0.2.1' }).exited;
  expect({ code, stderr }).toEqual({ code: 1, stderr: 'HOST must be an address of this machine, got 192.0.2.1.\n' });
});

test('HOST may be all addresses', async () => {
  const [, url = ''] = await run({ PORT: '0', HOST: '0.0.0.0' }).until(LISTENS);
  expect(url).toMatch(/^http:\/\/localhost:\d+$/);
  expect((await fetch(`${url.replace('localhost', '127.0.0.1')}/-/health`)).status).toBe(200);
});

function toText(artifacts: Task['artifacts']): string {
  return (artifacts ?? []).flatMap(({ parts }) => parts.map(({ text }) => text ?? '')).join('');
}
