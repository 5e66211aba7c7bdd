import type { Ability } from '../ability.js';
import { countIn } from '../count-in.js';
import { pause } from '../pause.js';

const STEP_MS = 1_000;
const USUAL_STEPS = 10;
const MAX_STEPS = 600;

export const slow: Ability = {
  word: 'slow',
  name: 'Run a slow task',
  about: 'Works for ten seconds and reports its progress; you can cancel it. "slow 60" takes sixty seconds.',
  example: 'slow 20',
  async run(context, events) {
    const steps = countIn(context.text, { usual: USUAL_STEPS, most: MAX_STEPS });
    await events.working(`This takes ${steps} seconds`);
    for (let step = 1; step <= steps; step++) {
      await pause(context, STEP_MS);
      await events.progress(step / steps, `step ${step} of ${steps}`);
    }
    await events.appendText('result', `Done after ${steps} steps.`, { last: true });
    await events.complete();
  },
};
