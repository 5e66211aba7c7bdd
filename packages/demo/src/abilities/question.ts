import type { Ability } from '../ability.js';
import { speak } from '../speak.js';

export const question: Ability = {
  word: 'question',
  name: 'Ask you back',
  about: 'asks you something (INPUT_REQUIRED), then streams an answer made of your reply to the same task',
  async run(context, events) {
    const reply = await context.requireInput('Which city would you like to visit?');
    const city = reply.trim() || 'nowhere';
    await speak(
      { context, events },
      'plan',
      `A day in ${city}. In the morning, walk until you are lost. At noon, eat where the menu has one page. In the evening, sit by the water if ${city} has any, and by a window if it has not.`,
    );
    await events.complete(`Have a good time in ${city}!`);
  },
};
