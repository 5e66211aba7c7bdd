import type { Ability } from '../ability.js';

export const crash: Ability = {
  word: 'crash',
  name: 'Crash',
  about: 'a bug in the agent: the task ends as FAILED, and what went wrong is told to the terminal of the server only',
  async run(_context, events) {
    await events.working('Dividing by the number of unicorns');
    throw new Error('This is the crash that was asked for; callers never see these words.');
  },
};
