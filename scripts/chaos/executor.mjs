// The executor of the jobs. It records each entry before doing anything else, and each chunk whose commit it saw.
import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '@parley/a2a/testing';
import { ARTIFACT, chunkOf, promptOf } from './jobs.mjs';

/**
 * @param {Pick<import('./ledger.mjs').Ledger, 'write'>} ledger
 * @returns {import('@parley/a2a/server').AgentExecutor}
 */
export function createExecutor(ledger) {
  return {
    async execute(context, events) {
      const { taskId, attempt, signal } = context;
      ledger.write({ what: 'entered', taskId, attempt });
      /** @type {import('./jobs.mjs').Job} */
      const job = JSON.parse(context.text);
      const random = seededRandom(job.seed + attempt);
      const answers = [];
      let unseen = [];
      await events.working('On it');
      for (let index = 0; index < job.chunks; index += 1) {
        if (job.questions.includes(index)) answers.push(await context.requireInput(promptOf(job, answers.length)));
        await pause(job.pauseMs * 2 * random(), undefined, { signal });
        const text = chunkOf(job, attempt, index, answers);
        await events.appendText(ARTIFACT, text);
        unseen.push(text);
        if (unseen.length < job.flushEvery) continue;
        await events.flush();
        ledger.write({ what: 'committed', taskId, attempt, chunks: unseen });
        unseen = [];
      }
      await events.complete();
      ledger.write({ what: 'completed', taskId, attempt, chunks: unseen });
    },
  };
}
