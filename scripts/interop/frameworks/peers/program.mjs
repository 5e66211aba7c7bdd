// What all programs of this folder share. The runner reads lines of JSON from stdout; everything that a framework prints goes to stderr.
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);

/** The program ends with its input, so that nothing stays behind if the runner is killed. */
process.stdin.resume().on('end', () => process.exit());

/** @param {object} value */
export function print(value) {
  return new Promise((resolve) => write(`${JSON.stringify(value)}\n`, resolve));
}

/**
 * Starts a `node:http` server, or anything with `listen`, on a free port and returns its address.
 * @param {import('node:http').Server} server
 */
export async function listenOnFreePort(server) {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${server.address().port}`;
}

/**
 * Runs the case that the second argument names against the agent that the first one names. Prints `{ "ready": true }` at its start, because
 * loading a framework can take longer than the case, then the result or the error, and exits.
 * @param {Record<string, (url: string) => Promise<object>>} cases
 */
export async function runCase(cases) {
  const [url, name] = process.argv.slice(2);
  await print({ ready: true });
  try {
    await print({ result: await cases[name](url) });
  } catch (error) {
    console.error(error);
    await print({ error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) });
  }
  process.exit();
}
