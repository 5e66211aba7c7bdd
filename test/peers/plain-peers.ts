/** Starts the client and the server of `plain/`: programs in Python that speak the dialect whose parts have `type` and no `kind`. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { PYTHON, PYTHON_PACKAGE } from '../../scripts/python.mjs';
import { installDebian, root } from '../../scripts/setup.mjs';

/** A part, message, task or event as the dialect writes it. */
// biome-ignore lint/suspicious/noExplicitAny: the tests check the shape of what a foreign program received.
type Json = any;

/** A command for the client program. Times are in seconds. */
interface PlainCommand {
  readonly do?: 'send' | 'limited' | 'stream' | 'get' | 'delegate' | 'fanOut';
  readonly url?: string;
  readonly text?: string;
  readonly parts?: readonly unknown[];
  /** Further members of the message. */
  readonly message?: Readonly<Record<string, unknown>>;
  readonly taskId?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly currentAgent?: string;
  readonly retry?: {
    readonly maxRetries?: number;
    readonly baseDelay?: number;
    readonly maxDelay?: number;
    readonly backoffFactor?: number;
    readonly timeout?: number;
  };
  readonly limits?: { readonly connect?: number; readonly read?: number; readonly total?: number };
  readonly circuit?: { readonly failures?: number; readonly openFor?: number };
  readonly rounds?: readonly { readonly urls: readonly string[]; readonly texts: readonly string[]; readonly minResults?: number }[];
}

/** What the client program prints: the response, or the error of the agent, or the failure that the program itself found. */
interface PlainOutcome {
  readonly response?: { readonly jsonrpc: string; readonly id: string; readonly result?: Json; readonly error?: Json };
  readonly responses?: readonly { readonly result?: Json; readonly error?: Json }[];
  readonly result?: Json;
  readonly rounds?: Json;
  readonly health?: Json;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Json };
  readonly failure?: { readonly kind: string; readonly type: string; readonly message: string };
  /** When each attempt ended, in seconds since the call began, and the delay after it. */
  readonly attempts: readonly { readonly at: number; readonly outcome: string | number; readonly delay?: number }[];
  readonly took: number;
}

export interface PlainClient {
  run(command: PlainCommand): Promise<PlainOutcome>;
  stop(): Promise<void>;
}

export interface PlainServer {
  readonly url: string;
  /** An address that accepts no connection. */
  readonly deafUrl: string;
  /** The times of all calls with this text in seconds, and the last message. */
  calls(text: string): Promise<{ readonly at: readonly number[]; readonly message?: Json }>;
  stop(): Promise<void>;
}

/** Starts the client program, which runs any number of commands at the same time. */
export function startPlainClient(): PlainClient {
  const { child, lines, ended } = start('client.py');
  const waiting = new Map<number, { resolve(outcome: PlainOutcome): void; reject(error: Error): void }>();
  lines.on('line', (line) => {
    const { id, ...outcome } = JSON.parse(line);
    waiting.get(id)?.resolve(outcome);
    waiting.delete(id);
  });
  void ended.then((said) => {
    for (const { reject } of waiting.values()) reject(new Error(`The client program has ended:\n${said}`));
  });
  let last = 0;
  return {
    run(command) {
      last += 1;
      const id = last;
      child.stdin.write(`${JSON.stringify({ ...command, id })}\n`);
      return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    },
    async stop() {
      child.kill();
      await ended;
    },
  };
}

/** Starts a server program. Its name is `currentAgent` in the errors that it passes on. */
export async function startPlainServer(name: string): Promise<PlainServer> {
  const { child, lines, ended } = start('server.py', name);
  const { url, deafUrl } = await new Promise<{ readonly url: string; readonly deafUrl: string }>((resolve, reject) => {
    lines.once('line', (line) => resolve(JSON.parse(line)));
    void ended.then((said) => reject(new Error(`The server program has ended:\n${said}`)));
  });
  return {
    url,
    deafUrl,
    async calls(text) {
      const response = await fetch(new URL('/calls', url));
      return JSON.parse(await response.text())[text] ?? { at: [] };
    },
    async stop() {
      child.kill();
      await ended;
    },
  };
}

interface Started {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly lines: ReturnType<typeof createInterface>;
  /** Resolves with what the program wrote to its error output. */
  readonly ended: Promise<string>;
}

/** The programs end with their input, so that nothing stays behind if the tests are killed. */
function start(program: string, ...args: readonly string[]): Started {
  installDebian(PYTHON_PACKAGE);
  // -B: writes no compiled files into the repository.
  const child = spawn(PYTHON, ['-B', program, ...args], { cwd: join(root, 'test/peers/plain'), stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const ended = new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve(said));
  });
  return { child, lines: createInterface(child.stdout), ended };
}
