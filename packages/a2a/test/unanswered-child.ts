/** A process that does not close its agent. `node child.mjs MODE [FILE]`; each printed line is an event. */
import { writeSync } from 'node:fs';
import { createAgent, memoryStore, type RequestContext, type TaskEvents } from '../src/server/index.js';
import { sqlite } from '../src/stores/sqlite/index.js';
import { createTestFetch } from '../src/testing/index.js';

const [, , mode = '', file] = process.argv;
const print = (text: string): number => writeSync(1, `${text}\n`);

const EXECUTORS: Record<string, (context: RequestContext, events: TaskEvents) => Promise<void>> = {
  async input(context) {
    await context.requireInput('which?');
  },
  async auth(context) {
    await context.requireAuth('log in');
  },
  async work(context, events) {
    await events.working();
    await new Promise<void>((resolve) => context.clock.after(300, resolve));
    await events.complete();
    print('worked');
  },
};

const execute = EXECUTORS[mode];
if (execute === undefined) throw new Error(`no mode ${mode}`);
const agent = createAgent({
  name: 'Asker',
  store: file === undefined ? memoryStore() : sqlite(file),
  inputTimeoutMs: 3_600_000,
  leaseMs: 3_000,
  executor: { execute },
});

/** Reads the stream of a send until it contains the state. The stream stays open. */
async function readUpTo(state: string): Promise<void> {
  const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'go' }] };
  const { body } = await createTestFetch(agent)('http://test/message:stream', {
    method: 'POST',
    headers: { 'A2A-Version': '1.0', 'Content-Type': 'application/json' },
    body: JSON.stringify({ message }),
  });
  const reader = body?.getReader();
  for (let text = ''; !text.includes(state); ) {
    const { value, done } = (await reader?.read()) ?? { done: true };
    if (done) throw new Error(`the stream ended before ${state}`);
    text += new TextDecoder().decode(value);
  }
  print(state);
}

await readUpTo({ input: 'INPUT_REQUIRED', auth: 'AUTH_REQUIRED' }[mode] ?? 'WORKING');
