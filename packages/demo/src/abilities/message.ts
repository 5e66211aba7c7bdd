import type { Ability } from '../ability.js';

export const message: Ability = {
  word: 'message',
  name: 'Reply without a task',
  about: 'Replies with a Message instead of a task: nothing is stored, and there is nothing to follow.',
  run: (_context, events) => events.reply('A direct answer, and no task. There is nothing to fetch, list or cancel.'),
};
