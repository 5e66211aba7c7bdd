// In a child process, because it exits.
import { beforeAll, describe, expect, test } from 'vitest';
import { bundleScript, type Child, startChild } from '../../../test/child.js';
import { fetchAt, restEndpoint, userMessage } from '../../../test/endpoints.js';
import type { ChildOptions } from '../../../test/signals-child.js';
import { tempFolder } from '../../../test/temp-folder.js';
import { closeOnSignals } from './close-on-signals.js';

const folder = tempFolder();
let script = '';

beforeAll(async () => {
  script = await bundleScript(new URL('../../../test/signals-child.ts', import.meta.url), folder);
});

/** A server with a running task. */
async function atWork(options: ChildOptions): Promise<Child> {
  const child = startChild(script, JSON.stringify(options));
  await child.printed(1);
  const rest = restEndpoint(fetchAt(child.lines[0] ?? ''));
  await rest.call('SendMessage', { ...userMessage('go'), configuration: { returnImmediately: true } });
  return child;
}

const pause = (delayMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delayMs));

describe('D20: closing on signals', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'D20: %s lets running tasks end, then exits with code 0, even if other handles are open',
    async (signal) => {
      const child = await atWork({ runMs: 200 });
      child.signal(signal);
      child.signal(signal); // npm and the terminal may both forward it
      expect(await child.exited).toEqual({ code: 0, signal: null });
      expect(child.lines.slice(1)).toEqual(['the run has ended', 'closed']);
    },
  );

  test('D20: tasks that run longer than drainMs do not delay the exit', async () => {
    const child = await atWork({ runMs: 60_000, drainMs: 50 });
    child.signal('SIGTERM');
    expect(await child.exited).toEqual({ code: 0, signal: null });
    expect(child.lines.slice(1)).toEqual(['closed']);
  });

  test('D20: a second signal exits at once, with the exit code of the signal', async () => {
    const child = await atWork({ runMs: 60_000 });
    child.signal('SIGTERM');
    await pause(1_100);
    child.signal('SIGINT');
    expect(await child.exited).toEqual({ code: 130, signal: null });
    expect(child.lines.slice(1)).toEqual([]);
  });

  test('D20: a close that fails is reported, and the exit code is 1', async () => {
    const child = await atWork({ runMs: 10, failing: true });
    child.signal('SIGTERM');
    expect(await child.exited).toEqual({ code: 1, signal: null });
    expect(child.lines.slice(1)).toEqual(['the run has ended', 'closed', expect.stringMatching(/^failed: /)]);
  });

  test('D20: after the handlers were removed, signals have their default effect', async () => {
    const child = await atWork({ runMs: 60_000, takenBack: true });
    child.signal('SIGTERM');
    expect(await child.exited).toEqual({ code: null, signal: 'SIGTERM' });
  });

  test('invalid options are refused at once, and no handler is added', () => {
    const before = process.listenerCount('SIGTERM');
    const server = { close: () => Promise.resolve() };
    for (const signal of ['SIGKILL', 'SIGSTOP', 'TERM']) {
      // Plain JavaScript may pass such a value.
      expect(() => closeOnSignals(server, { signals: ['SIGTERM', signal as NodeJS.Signals] })).toThrow(signal);
    }
    expect(() => closeOnSignals(server, { drainMs: -1 })).toThrow('drainMs');
    expect(process.listenerCount('SIGTERM')).toBe(before);
    closeOnSignals(server)();
    expect(process.listenerCount('SIGTERM')).toBe(before);
  });
});
