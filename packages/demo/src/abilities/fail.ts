import { A2AError } from '@parley/a2a';
import type { Ability } from '../ability.js';

export const fail: Ability = {
  word: 'fail',
  name: 'Fail with a reason',
  about: 'Ends the task as FAILED and says why and when to retry, for people and for programs.',
  async run(_context, events) {
    await events.working('Trying');
    throw new A2AError('RATE_LIMITED', 'The demo allows this only once every thirty seconds.', { retryAfterMs: 30_000 });
  },
};
