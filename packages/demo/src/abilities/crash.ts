import type { Ability } from '../ability.js';

export const crash: Ability = {
  word: 'crash',
  name: 'Crash',
  about: 'Simulates a bug: the task ends as FAILED, and only the terminal of the server shows the error.',
  async run(_context, events) {
    await events.working('Dividing by the number of unicorns');
    throw new Error('This is the crash that was asked for; callers never see this text.');
  },
};
