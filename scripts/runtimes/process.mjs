// Starts child processes, reads their output, and ends them by process id.
import { spawn } from 'node:child_process';

/**
 * Starts a program and waits until its output matches `until`.
 * @param {string} command
 * @param {string[]} args
 * @param {{ until: RegExp, env?: Record<string, string>, cwd?: string, withinMs?: number }} options
 * @returns {Promise<{ match: RegExpExecArray, stop(): Promise<void> }>}
 */
export async function startProgram(command, args, { until, env, cwd, withinMs = 120_000 }) {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const stop = async () => {
    child.kill('SIGTERM');
    const force = setTimeout(() => child.kill('SIGKILL'), 5_000);
    await exited;
    clearTimeout(force);
  };
  let output = '';
  try {
    return await new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${command} did not print the expected line in time:\n${output}`)), withinMs);
      const read = (/** @type {string} */ text) => {
        output += text;
        const match = until.exec(output);
        if (match === null) return;
        clearTimeout(timer);
        resolve({ match, stop });
      };
      for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', read);
      child.once('error', reject);
      child.once('exit', (code) => {
        clearTimeout(timer);
        reject(new Error(`${command} ended with ${code}:\n${output}`));
      });
    });
  } catch (error) {
    if (child.exitCode === null && child.pid !== undefined) await stop();
    throw error;
  }
}

/**
 * Runs a program to its end and returns its output.
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: Record<string, string>, withinMs?: number }} [options]
 * @returns {Promise<string>}
 */
export function runProgram(command, args, { env, withinMs = 60_000 } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let errors = '';
    const timer = setTimeout(() => child.kill('SIGKILL'), withinMs);
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      if (code === 0) resolve(output);
      else reject(new Error(`${command} ended with ${code}:\n${output}${errors}`));
    });
  });
}
