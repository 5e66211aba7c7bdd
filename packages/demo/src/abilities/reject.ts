import type { Ability } from '../ability.js';

export const reject: Ability = {
  word: 'reject',
  name: 'Refuse',
  about: 'the agent does not want to: the task ends as REJECTED, with the reason',
  run: (_context, events) => events.reject('I do not do this on principle. It is not you.'),
};
