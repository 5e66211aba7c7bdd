// Controls a node that runs in its own process.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createAsk } from '../server.mjs';

/** @typedef {import('./node-process.mjs').NodeSettings} NodeSettings */

/**
 * @typedef {object} Node
 * @property {import('../server.mjs').Address} address
 * @property {() => Promise<number>} cpu microseconds of CPU time so far
 * @property {() => Promise<boolean | null>} hears whether its bus reports a connection; null before its first report
 * @property {() => Promise<number>} open returns the number of open tasks
 * @property {(count: number) => Promise<void>} say each open task publishes this many chunks, one per event-loop iteration
 * @property {(pace: { everyMs: number, forMs: number }) => Promise<number>} speak the same at an interval; returns the number of chunks per task
 * @property {() => Promise<void>} stop
 */

const SCRIPT = fileURLToPath(new URL('./node-process.mjs', import.meta.url));

/**
 * @param {NodeSettings} settings
 * @returns {Promise<Node>}
 */
export async function startNode(settings) {
  const child = fork(SCRIPT, [JSON.stringify(settings)], { execArgv: ['--no-warnings'], env: { ...process.env, NODE_ENV: 'production' } });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const ask = createAsk(child, settings.name);
  const stop = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  try {
    return {
      address: await ask.started,
      cpu: () => ask('cpu'),
      hears: () => ask('hears'),
      open: () => ask('open'),
      say: (count) => ask('say', { count }),
      speak: (pace) => ask('speak', pace),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Resolves when the buses of all nodes report the expected connection state.
 * @param {readonly Node[]} nodes
 * @param {boolean} hears
 */
export async function untilHearing(nodes, hears) {
  for (const deadline = Date.now() + 15_000; Date.now() < deadline; ) {
    const answers = await Promise.all(nodes.map((node) => node.hears()));
    if (answers.every((answer) => answer === hears)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`a bus that should ${hears ? '' : 'not '}be connected does not report that`);
}
