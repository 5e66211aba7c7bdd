/** A server that closes on signals. `node child.mjs OPTIONS`, which are JSON; every line printed is a fact. */
import { writeSync } from 'node:fs';
import { closeOnSignals, listen } from '../src/node.js';
import { createAgent, memory } from '../src/server/index.js';

export interface ChildOptions {
  /** How long its task runs. */
  readonly runMs: number;
  readonly drainMs?: number;
  /** Its store cannot be closed. */
  readonly failing?: boolean;
  /** What was set up is taken back before a signal comes. */
  readonly takenBack?: boolean;
}

// Written by the test beside it.
const options: ChildOptions = JSON.parse(process.argv[2] ?? '');
const { runMs, drainMs, failing = false, takenBack = false } = options;

const print = (fact: string): void => void writeSync(1, `${fact}\n`);

const store = memory();
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
setInterval(() => {}, 1_000); // something else that keeps the process
print(listening.url);
