/** `npm start`. */
import { fileURLToPath } from 'node:url';
import type { A2AError } from '@parley/a2a';
import { closeOnSignals } from '@parley/a2a/node';
import type { ErrorContext } from '@parley/a2a/server';
import { openStore } from './open-store.js';
import { readSettings, StartError, toStartError } from './settings.js';
import { startDemo } from './start-demo.js';
import { renderWelcome } from './welcome.js';

// Stopping the demo should not wait for a slow task.
const DRAIN_MS = 500;

const STUDIO = fileURLToPath(new URL('../../studio/dist', import.meta.url));

try {
  const settings = readSettings(process.env);
  const { store, bus, place } = await openStore(settings);
  const { port, host } = settings;
  const listening = await startDemo({ port, host, store, bus, studioFolder: STUDIO, onError: reportCrash }).catch(async (error) => {
    await Promise.all([store.close(), bus?.close()]);
    throw toStartError(error, settings);
  });
  closeOnSignals(listening, { drainMs: DRAIN_MS, onClosed: sayStopped, onError: console.error });
  console.log(renderWelcome(listening.url, place));
} catch (error) {
  console.error(error instanceof StartError ? error.message : error);
  process.exit(1);
}

function sayStopped(): void {
  if (process.stdout.isTTY) console.log(); // the terminal has printed ^C
  console.log('Stopped.');
}

/** The library prints nothing, and callers do not see the cause of a crash. So the demo prints it. */
function reportCrash({ reason, cause }: A2AError, where: ErrorContext): void {
  console.error(reason, where, cause);
}
