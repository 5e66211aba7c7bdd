import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { faultProxy } from '@parley/a2a/testing';
import { startExample } from '../start-example.mjs';

const REPORT = ['mixed', 'poured into its tin', 'in the oven', 'golden', 'cooling at the window', 'ready']
  .map((step) => `The Sacher is ${step}.\n`)
  .join('');

const agent = await startExample(new URL('agent.mjs', import.meta.url));
try {
  await Promise.all([asksAndPrints(), survivesBrokenConnections(), saysWhatWentWrong(), cancels()]);
} finally {
  await agent.stop();
}

async function asksAndPrints() {
  const { code, out, err } = await call([agent.url], { answer: 'Sacher' });
  assert.deepEqual([code, out], [0, REPORT]);
  assert.equal(err, 'Which cake would you like? ');
  console.log('calling an agent: prints the answer as it arrives, and passes on the questions of the agent');
}

async function survivesBrokenConnections() {
  // Every stream of the report breaks after three events.
  const proxy = await faultProxy({
    target: agent.url,
    plan: ({ operation, body }) =>
      operation === 'SubscribeToTask' || (operation === 'SendStreamingMessage' && JSON.stringify(body).includes('Sacher'))
        ? { do: 'drop', afterFrames: 3 }
        : undefined,
  });
  try {
    const { code, out, err } = await call([proxy.url], { answer: 'Sacher' });
    assert.deepEqual([code, out], [0, REPORT]);
    assert.match(err, /Connection lost; reconnecting in 500 ms\./);
  } finally {
    await proxy.close();
  }
  console.log('calling an agent: nothing is lost or repeated when connections break');
}

async function saysWhatWentWrong() {
  const { code, out, err } = await call([agent.url, 'A pizza, please']);
  assert.deepEqual([code, out, err], [1, '', 'UNSUPPORTED_OPERATION: This is a bakery.\n']);
  console.log('calling an agent: prints why the agent rejected the task');
}

async function cancels() {
  const { code, out, err } = await call([agent.url], { interrupts: true });
  assert.deepEqual([code, out], [1, '']);
  assert.match(err, /ABORTED: Task \S+ was canceled/);
  console.log('calling an agent: Ctrl-C cancels the task');
}

/**
 * Runs call.mjs as a user at a terminal who answers the question or presses Ctrl-C.
 * @param {string[]} args
 * @param {{ answer?: string, interrupts?: boolean }} [person]
 * @returns {Promise<{ code: number | null, out: string, err: string }>}
 */
function call(args, { answer, interrupts = false } = {}) {
  const child = spawn(process.execPath, [fileURLToPath(new URL('call.mjs', import.meta.url)), ...args]);
  let out = '';
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (piece) => {
    err += piece;
    if (!piece.includes('Which cake')) return;
    if (interrupts) child.kill('SIGINT');
    if (answer !== undefined) child.stdin.write(`${answer}\n`);
  });
  child.stdout.setEncoding('utf8').on('data', (piece) => {
    out += piece;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })));
}
