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
  await asksAndPrints();
  await survivesBrokenConnections();
  await saysWhatWentWrong();
  await cancels();
} finally {
  await agent.stop();
}

async function asksAndPrints() {
  const { code, out, err } = await call([agent.url], { answer: 'Sacher' });
  assert.deepEqual([code, out], [0, REPORT]);
  assert.equal(err, 'Which cake would you like? ');
  console.log('calling an agent: prints the answer as it comes, and asks what the agent asks');
}

async function survivesBrokenConnections() {
  // Every stream that tells something breaks after two events of the agent.
  const proxy = await faultProxy({
    target: agent.url,
    plan: ({ operation, body }) =>
      operation === 'SubscribeToTask' || (operation === 'SendStreamingMessage' && JSON.stringify(body).includes('Sacher'))
        ? { do: 'drop', afterFrames: 2 }
        : undefined,
  });
  try {
    const { code, out, err } = await call([proxy.url], { answer: 'Sacher' });
    assert.deepEqual([code, out], [0, REPORT]);
    assert.match(err, /The connection broke; back in 500 ms\./);
  } finally {
    await proxy.close();
  }
  console.log('calling an agent: nothing is missing or double when connections break');
}

async function saysWhatWentWrong() {
  const { code, out, err } = await call([agent.url, 'A pizza, please']);
  assert.deepEqual([code, out, err], [1, '', 'UNSUPPORTED_OPERATION: This is a bakery.\n']);
  console.log('calling an agent: says why the agent refused');
}

async function cancels() {
  const { code, out, err } = await call([agent.url], { answer: 'Sacher', interruptAt: /mixed/ });
  assert.equal(code, 1);
  assert.match(err, /ABORTED: /);
  assert.ok(out.length > 0 && out.length < REPORT.length);
  console.log('calling an agent: Ctrl-C cancels the task');
}

/**
 * Runs call.mjs as somebody at a terminal would.
 * @param {string[]} args
 * @param {{ answer?: string, interruptAt?: RegExp }} [person]
 * @returns {Promise<{ code: number | null, out: string, err: string }>}
 */
function call(args, { answer = '', interruptAt } = {}) {
  const child = spawn(process.execPath, [fileURLToPath(new URL('call.mjs', import.meta.url)), ...args]);
  let out = '';
  let err = '';
  let isInterrupted = false;
  child.stderr.setEncoding('utf8').on('data', (piece) => {
    err += piece;
    if (answer !== '' && piece.includes('Which cake')) child.stdin.write(`${answer}\n`);
  });
  child.stdout.setEncoding('utf8').on('data', (piece) => {
    out += piece;
    if (isInterrupted || !interruptAt?.test(out)) return;
    isInterrupted = true;
    child.kill('SIGINT');
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })));
}
