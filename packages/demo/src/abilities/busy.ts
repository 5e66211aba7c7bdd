import { A2AError } from '@parley/a2a';
import type { Ability } from '../ability.js';

export const busy: Ability = {
  word: 'busy',
  name: 'Be unavailable',
  about: 'Fails the call itself, before there is a task, and says when to retry.',
  run: () => Promise.reject(new A2AError('AGENT_UNAVAILABLE', 'The demo pretends to be busy.', { retryAfterMs: 5_000 })),
};
