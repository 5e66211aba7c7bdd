import type { Ability } from '../ability.js';

export const message: Ability = {
  word: 'message',
  name: 'Answer directly',
  about: 'a direct Message instead of a task: nothing is stored, nothing can be followed',
  run: (_context, events) => events.reply('A direct answer, and no task. There is nothing to get, list or cancel.'),
};
