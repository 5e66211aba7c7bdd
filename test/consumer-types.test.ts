// Compiles user programs against the published types: strict, with every declaration file checked, and with only the libraries that users
// have.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test, vi } from 'vitest';

vi.setConfig({ testTimeout: 180_000 });

const root = fileURLToPath(new URL('..', import.meta.url));
const cache = join(root, '.cache');
mkdirSync(cache, { recursive: true });
// Inside the repository, so that packages resolve through node_modules as they do for a user.
const folder = mkdtempSync(join(cache, 'consumer-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Program {
  readonly lib: readonly string[];
  readonly types: readonly string[];
  readonly module?: string;
  /** Whether the declaration files are not checked. Default false. */
  readonly skipLibCheck?: boolean;
}

/** The compiler output for a program that uses the built library. */
function compile(name: string, source: string, { lib, types, module = 'esnext', skipLibCheck = false }: Program): string {
  const compilerOptions = {
    strict: true,
    skipLibCheck,
    noEmit: true,
    target: 'ES2022',
    module,
    moduleResolution: module === 'esnext' ? 'bundler' : module,
    jsx: 'react-jsx',
    lib,
    types,
  };
  const project = join(folder, name);
  mkdirSync(project);
  writeFileSync(join(project, 'program.ts'), source);
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: module === 'esnext' ? 'module' : 'commonjs' }));
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  const compiler = join(root, 'node_modules/typescript-next/bin/tsc');
  return spawnSync(process.execPath, [compiler, '-p', project], { encoding: 'utf8' }).stdout;
}

const PAGE = `
import { bearer } from '@parley/a2a/security';
import { createClient } from '@parley/a2a/client';
import { fetchHandler } from '@parley/a2a/fetch';
import { clientCredentials } from '@parley/a2a/oauth';
import { ConversationProvider } from '@parley/a2a/react';
import { createAgent } from '@parley/a2a/server';

const agent = createAgent({
  name: 'Echo',
  security: bearer(),
  auth: ({ host }) => ({ id: host.fetch?.headers.get('x-user') ?? '' }),
  execute: ({ text }) => text,
});
export const handle: (request: Request) => Promise<Response> = fetchHandler(agent);
export const client = createClient('https://agent.example.com');
export const closed: Promise<void> = client.close();
export { ConversationProvider, clientCredentials };
`;

test('F25: a page with ES2022 and the DOM compiles against the published types, skipLibCheck off', () => {
  expect(compile('page', PAGE, { lib: ['ES2022', 'DOM'], types: [] })).toBe('');
});

const SERVER = `
import { createClient } from '@parley/a2a/client';
import { expressHandler } from '@parley/a2a/express';
import { honoHandler } from '@parley/a2a/hono';
import { listen, pooled } from '@parley/a2a/node';
import { postgres } from '@parley/a2a/postgres';
import { redis } from '@parley/a2a/redis';
import { createAgent } from '@parley/a2a/server';
import { sqlite } from '@parley/a2a/sqlite';
import { createTestFetch } from '@parley/a2a/testing';
import express from 'express';
import { Hono } from 'hono';

declare global {
  namespace Express {
    interface Request {
      user?: { id: string };
    }
  }
}

const agent = createAgent({
  name: 'Echo',
  auth: ({ host }) => host.express?.user ?? (host.node?.socket.localPort === 1 ? { id: host.hono?.req.path ?? '' } : null),
  execute: ({ text }) => text,
});
export const app = express().use('/agent', expressHandler(agent));
export const hono = new Hono<{ Variables: { user: string } }>().all('*', honoHandler(agent));
export async function main(): Promise<void> {
  await using client = createClient('https://agent.example.com', { fetch: fetch });
  await using pool = pooled();
  await listen(agent);
}
export { postgres, redis, sqlite, createTestFetch };
`;

test('F25: a server compiles with every entry point and with await using', () => {
  expect(compile('server', SERVER, { lib: ['ES2022', 'ESNext.Disposable', 'DOM'], types: ['node'] })).toBe('');
});

test('F21: members that no middleware declares are type errors', () => {
  const source = SERVER.replace('user?: { id: string };', '');
  const options = { lib: ['ES2022', 'ESNext.Disposable', 'DOM'], types: ['node'], skipLibCheck: true };
  expect(compile('undeclared', source, options)).toMatch(/Property 'user' does not exist/);
});

const COMMON = { lib: ['ES2022'], types: ['node'], module: 'node16' };

test('F25: a CommonJS program gets TS1479, unless its module is nodenext', () => {
  const source = `import { createAgent } from '@parley/a2a/server'; export { createAgent };`;
  expect(compile('static', source, { ...COMMON, skipLibCheck: true })).toContain('TS1479');
  expect(compile('nodenext', source, { ...COMMON, module: 'nodenext' })).toBe('');
});

test('F25: a CommonJS program can load the library with import()', () => {
  const source = `
export async function main(): Promise<string> {
  const { createAgent } = await import('@parley/a2a/server');
  const { listen } = await import('@parley/a2a/node');
  const agent = createAgent({ name: 'Echo', auth: ({ host }) => ({ id: host.node?.socket.remoteAddress ?? '' }), execute: () => 'x' });
  return (await listen(agent)).url;
}`;
  expect(compile('commonjs', source, COMMON)).toBe('');
});
