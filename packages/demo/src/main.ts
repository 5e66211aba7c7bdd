/** `npm start`. */
import { fileURLToPath } from 'node:url';
import type { A2AError } from '@parley/a2a';
import type { Listening } from '@parley/a2a/node';
import type { ErrorContext } from '@parley/a2a/server';
import { openStore } from './open-store.js';
import { readSettings, StartError, toStartError } from './settings.js';
import { startDemo } from './start-demo.js';
import { renderWelcome } from './welcome.js';

// Whoever stops the demo does not want to wait for a slow job to end.
const DRAIN_MS = 500;

const STUDIO = fileURLToPath(new URL('../../studio/dist', import.meta.url));

try {
  const settings = readSettings(process.env);
  const store = openStore(settings.dataFolder);
  const listening = await startDemo({ ...settings, store, studioFolder: STUDIO, onError: reportCrash }).catch(async (error) => {
    await store.close();
    throw toStartError(error, settings);
  });
  stopOnSignal(listening);
  console.log(renderWelcome(listening.url, settings.dataFolder));
} catch (error) {
  console.error(error instanceof StartError ? error.message : error);
  process.exit(1);
}

/** Once: npm and the terminal may both pass the same Ctrl-C on. */
function stopOnSignal(listening: Listening): void {
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    await listening.close({ drainMs: DRAIN_MS });
    if (process.stdout.isTTY) console.log(); // the terminal has printed ^C
    console.log('Stopped.');
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop());
}

/** The library prints nothing, and callers are not told what went wrong: without this nobody would know. */
function reportCrash({ reason, cause }: A2AError, where: ErrorContext): void {
  console.error(reason, where, cause);
}
