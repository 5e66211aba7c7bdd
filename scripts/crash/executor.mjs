// The executor of the jobs. It records each entry before doing anything else.
import { setTimeout as pause } from 'node:timers/promises';
import { artifactIdOf, chunksOf, doneText } from './jobs.mjs';

/** @typedef {import('@parley/a2a/server').RequestContext} RequestContext */
/** @typedef {import('@parley/a2a/server').TaskEvents} TaskEvents */

/**
 * @param {(context: RequestContext) => void} record
 * @returns {import('@parley/a2a/server').AgentExecutor}
 */
export function createExecutor(record) {
  return {
    async execute(context, events) {
      /** @type {import('./jobs.mjs').Job} */
      const job = JSON.parse(context.text);
      record(context);
      if (job.kind === 'reply') return events.reply(`${job.salt} ${crypto.randomUUID()}`); // differs in each run
      if (job.kind === 'turn') return takeTurn(job, context, events);
      await events.working('On it');
      const answers = [];
      for (const prompt of job.kind === 'question' ? job.prompts : []) answers.push(await context.requireInput(prompt));
      await write(job, answers, context, events);
      await events.complete();
    },
  };
}

/**
 * @param {import('./jobs.mjs').TurnJob} job
 * @param {RequestContext} context
 * @param {TaskEvents} events
 */
async function takeTurn(job, context, events) {
  await write(job, [], context, events);
  if (job.last) await events.complete();
  else await events.status('TASK_STATE_INPUT_REQUIRED', doneText(job.salt));
}

/**
 * @param {Exclude<import('./jobs.mjs').Job, import('./jobs.mjs').ReplyJob>} job
 * @param {readonly string[]} answers
 * @param {RequestContext} context
 * @param {TaskEvents} events
 */
async function write(job, answers, context, events) {
  for (const chunk of chunksOf(job, answers)) {
    await pause(job.pauseMs, undefined, { signal: context.signal });
    await events.appendText(artifactIdOf(job), chunk);
  }
}
