// The agent under siege. The first part of a message is a job as JSON; other parts are ballast.
import { setTimeout as pause } from 'node:timers/promises';
import { ARTIFACT, chunkText } from './jobs.mjs';

/** @typedef {import('@parley/a2a/server').RequestContext} RequestContext */
/** @typedef {import('@parley/a2a/server').TaskEvents} TaskEvents */

const MiB = 1024 * 1024;

/** @type {import('@parley/a2a/server').AgentExecutor} */
export const executor = {
  async execute(context, events) {
    const job = readJob(context);
    switch (job.kind) {
      case 'echo':
        return events.reply(job.salt);
      case 'stream':
        return stream(job, context, events);
      case 'ask':
        return ask(job, context, events);
      case 'hold':
        await events.working();
        return pause(3_600_000, undefined, { signal: context.signal });
      case 'wait':
        await context.requireInput('Will you ever reply?');
        return events.complete();
      case 'turn':
        return events.status('TASK_STATE_INPUT_REQUIRED', 'Next?');
      case 'grow':
        await grow(job, events);
        return events.complete();
      case 'swell':
        return swell(job, context, events);
      case 'store':
        return events.complete();
      case 'hang':
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    }
  },
};

/**
 * A part of an attacker without a job is a turn.
 * @param {RequestContext} context
 * @returns {import('./jobs.mjs').Job}
 */
function readJob({ message }) {
  const text = message?.parts[0]?.text ?? '';
  return text.startsWith('{') ? JSON.parse(text) : { kind: 'turn' };
}

/**
 * @param {import('./jobs.mjs').StreamJob} job
 * @param {RequestContext} context
 * @param {TaskEvents} events
 */
async function stream({ salt, chunks, pauseMs }, { signal }, events) {
  for (let index = 0; index < chunks; index += 1) {
    if (index > 0) await pause(pauseMs, undefined, { signal });
    await events.appendText(ARTIFACT, chunkText(salt, index));
  }
  await events.complete();
}

/**
 * Its chunks follow the reply, and contain it.
 * @param {import('./jobs.mjs').AskJob} job
 * @param {RequestContext} context
 * @param {TaskEvents} events
 */
async function ask({ salt, chunks, pauseMs }, context, events) {
  const reply = await context.requireInput(`${salt}?`);
  await stream({ kind: 'stream', salt: reply, chunks, pauseMs }, context, events);
}

/**
 * @param {import('./jobs.mjs').GrowJob} job
 * @param {TaskEvents} events
 */
async function grow({ bytes }, events) {
  const text = 'x'.repeat(MiB);
  for (let left = bytes; left > 0; left -= MiB) await events.appendText(ARTIFACT, text.slice(0, Math.min(MiB, left)));
}

/**
 * Never ends: after its large artifact, it changes many times per second.
 * @param {import('./jobs.mjs').SwellJob} job
 * @param {RequestContext} context
 * @param {TaskEvents} events
 */
async function swell({ bytes }, { signal }, events) {
  await grow({ kind: 'grow', bytes }, events);
  await events.flush();
  for (;;) {
    await events.appendText(ARTIFACT, 'x');
    await pause(5, undefined, { signal });
  }
}
