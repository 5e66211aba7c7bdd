// node call.mjs [address] [text]: prints what the agent says as it comes, asks you what the agent asks; Ctrl-C cancels the task.
import { createInterface } from 'node:readline/promises';
import { isA2AError } from '@parley/a2a';
import { createClient } from '@parley/a2a/client';

const [address = 'http://127.0.0.1:4000', text = 'A cake, please'] = process.argv.slice(2);
const client = createClient(address);
const terminal = createInterface({ input: process.stdin, output: process.stderr, terminal: false }); // Ctrl-C stays a signal

const run = client.run(text, { onInputRequired: (prompt, { signal }) => terminal.question(`${prompt} `, { signal }) });
process.once('SIGINT', () => run.cancel());

try {
  for await (const update of run) {
    if (update.kind === 'text') process.stdout.write(update.delta);
    if (update.kind === 'reconnect') console.error(`The connection broke; back in ${update.delayMs} ms.`);
  }
} catch (error) {
  if (!isA2AError(error)) throw error;
  console.error(`${error.reason}: ${error.message}`);
  process.exitCode = 1;
} finally {
  terminal.close();
  await client.close();
}
