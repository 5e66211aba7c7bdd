// Our agent for the job, in this process or in its own.
import { createAgent } from '@parley/a2a/server';
import { keepPace, STEPS } from './job.mjs';

/** @param {Partial<import('@parley/a2a/server').AgentOptions>} [options] */
export function createOurAgent(options) {
  return createAgent({
    name: 'Agent on a bad line',
    auth: 'none',
    executor: {
      async execute(context, events) {
        /** @type {import('./job.mjs').Job} */
        const { pace } = JSON.parse(context.text);
        for (const step of STEPS) {
          await keepPace(pace, context.signal);
          if (step.do === 'chunk') await events.appendText(step.artifactId, step.text);
          else await events[step.do](step.text);
        }
      },
    },
    onError: (error, where) => {
      if (error.metadata.why !== 'crash') console.error(error.reason, error.message, where, error.cause ?? '');
    },
    ...options,
  });
}
