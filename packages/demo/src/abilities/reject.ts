import type { Ability } from '../ability.js';

export const reject: Ability = {
  word: 'reject',
  name: 'Reject a task',
  about: 'Refuses the work: the task ends as REJECTED, with the reason.',
  run: (_context, events) => events.reject('I reject this on principle. Nothing is wrong with your message.'),
};
