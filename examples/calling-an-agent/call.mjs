// node call.mjs [address] [text]: prints the answer as it arrives and passes the agent's questions to you. Ctrl-C cancels the task.
import { createInterface } from 'node:readline/promises';
import { isA2AError } from '@parley/a2a';
import { createClient } from '@parley/a2a/client';

const [address = 'http://127.0.0.1:4000', text = 'A cake, please'] = process.argv.slice(2);
const client = createClient(address);
const terminal = createInterface({ input: process.stdin, output: process.stderr, terminal: false }); // keep Ctrl-C as a signal

const run = client.run(text, { onInputRequired: (prompt, { signal }) => terminal.question(`${prompt} `, { signal }) });
process.once('SIGINT', () => run.cancel());

try {
  for await (const update of run) {
    if (update.kind === 'text') process.stdout.write(update.delta);
    if (update.kind === 'reconnect') console.error(`Connection lost; reconnecting in ${update.delayMs} ms.`);
  }
} catch (error) {
  if (!isA2AError(error)) throw error;
  console.error(`${error.reason}: ${error.message}`);
  process.exitCode = 1;
} finally {
  terminal.close();
  await client.close();
}
