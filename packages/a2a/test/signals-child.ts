/** A server that closes on signals. `node child.mjs OPTIONS` with JSON options; each printed line is an event. */
import { writeSync } from 'node:fs';
import { closeOnSignals, listen } from '../src/node.js';
import { createAgent, memoryStore } from '../src/server/index.js';

export interface ChildOptions {
  /** How long its task runs. */
  readonly runMs: number;
  readonly drainMs?: number;
  /** The store fails to close. */
  readonly failing?: boolean;
  /** Removes the signal handlers before a signal comes. */
  readonly takenBack?: boolean;
}

// The test that starts this process wrote this JSON.
const options: ChildOptions = JSON.parse(process.argv[2] ?? '');
const { runMs, drainMs, failing = false, takenBack = false } = options;

const print = (fact: string): void => void writeSync(1, `${fact}\n`);

const store = memoryStore();
const agent = createAgent({
  name: 'Slow',
  store: { ...store, close: () => (failing ? Promise.reject(new Error('it is stuck')) : store.close()) },
  async execute(_context, events) {
    await events.working();
    await events.flush();
    await new Promise((resolve) => setTimeout(resolve, runMs));
    print('the run has ended');
    return 'done';
  },
});
const listening = await listen(agent, { port: 0 });
const takeBack = closeOnSignals(listening, {
  ...(drainMs !== undefined && { drainMs }),
  onClosed: () => print('closed'),
  onError: (error) => print(`failed: ${error instanceof Error ? error.message : error}`),
});
if (takenBack) takeBack();
setInterval(() => {}, 1_000); // keeps the process alive
print(listening.url);
