import { A2AError } from '@parley/a2a';
import type { Ability } from '../ability.js';

export const busy: Ability = {
  word: 'busy',
  name: 'Be busy',
  about: 'the call itself fails before there is a task, with a hint when to try again',
  run: () => Promise.reject(new A2AError('AGENT_UNAVAILABLE', 'The demo pretends to be busy.', { retryAfterMs: 5_000 })),
};
