// Two demos, started as by `npm start`, on one PostgreSQL.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createClient } from '@parley/a2a/client';
import pg from 'pg';
import { afterEach, expect, inject, test } from 'vitest';
import type {} from '../../packages/a2a/test/databases/provided.js';

const MAIN = fileURLToPath(new URL('../../packages/demo/dist/main.js', import.meta.url));

const stops = new Set<() => Promise<void>>();

afterEach(async () => {
  await Promise.all([...stops].map((stop) => stop()));
  stops.clear();
});

/** Creates a separate database, because the demo has no setting for the schema. */
async function newDatabase(): Promise<string> {
  const url = new URL(inject('postgresUrl'));
  const name = `demo_${process.pid}_${Date.now()}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  url.pathname = name;
  url.password = 'hunter2'; // not verified by the database; must not be printed
  return url.href;
}

interface Demo {
  readonly url: string;
  readonly welcome: string;
  kill(): Promise<void>;
}

async function startDemo(env: Readonly<Record<string, string>>): Promise<Demo> {
  const child = spawn(process.execPath, ['--conditions=check-output', MAIN], {
    env: { ...process.env, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  stops.add(kill);
  let welcome = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      welcome += text;
      if (welcome.includes('More commands')) resolve();
    });
    void ended.then(() => reject(new Error(`the demo exited before it listened: ${welcome}`)));
  });
  return { url: /open {3}(http:\S+)/.exec(welcome)?.[1] ?? '', welcome, kill };
}

test.each([
  ['PostgreSQL', () => ({})],
  ['PostgreSQL and Redis', () => ({ PARLEY_BUS: inject('redisUrl') })],
])(
  'D2, D14: a question of one demo can be answered at another, on %s; the password is not printed',
  { timeout: 30_000 },
  async (_name, more) => {
    const env = { PARLEY_STORE: await newDatabase(), ...more() };
    const [one, two] = await Promise.all([startDemo(env), startDemo(env)]);
    expect(one.welcome).toMatch(/tasks {2}in postgresql:\/\/127\.0\.0\.1:\d+\/demo_\d+_\d+,/);
    expect(one.welcome).not.toContain('hunter2');
    const [first, second] = [createClient(one.url), createClient(two.url)];
    const asked = await first.send('question');
    if (asked.kind !== 'task') throw new Error('no task');
    expect(asked.state).toBe('TASK_STATE_INPUT_REQUIRED');
    const watched = first.watch(asked.taskId).result;
    const answered = await second.send('Lisbon', { taskId: asked.taskId });
    expect([answered.finishReason, answered.text]).toEqual(['completed', expect.stringContaining('Lisbon')]);
    expect((await watched).text, 'the watcher at the other demo').toBe(answered.text);
    await Promise.all([first.close(), second.close()]);
  },
);
