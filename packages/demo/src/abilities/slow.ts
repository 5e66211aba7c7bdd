import { type Ability, wordsBehind } from '../ability.js';
import { pause } from '../pause.js';

const STEP_MS = 1_000;
const MAX_STEPS = 600;

export const slow: Ability = {
  word: 'slow',
  name: 'Work slowly',
  about: 'ten seconds of work with progress, which you can cancel; "slow 60" takes sixty',
  example: 'slow 20',
  async run(context, events) {
    const steps = stepsIn(context.text);
    await events.working(`This takes ${steps} s`);
    for (let step = 1; step <= steps; step++) {
      await pause(context, STEP_MS);
      await events.progress(step / steps, `step ${step} of ${steps}`);
    }
    await events.appendText('result', `Done after ${steps} steps.`, { last: true });
    await events.complete();
  },
};

function stepsIn(text: string): number {
  const asked = Number.parseInt(wordsBehind(text), 10);
  return asked > 0 ? Math.min(asked, MAX_STEPS) : 10;
}
