import type { Ability } from '../ability.js';
import { speak } from '../speak.js';

export const question: Ability = {
  word: 'question',
  name: 'Ask a question',
  about: 'Asks you a question (INPUT_REQUIRED), then streams an answer that uses your reply to the same task.',
  async run(context, events) {
    const reply = await context.requireInput('Which city would you like to visit?');
    const city = reply.trim() || 'nowhere';
    await speak(
      { context, events },
      'plan',
      `A day in ${city}. In the morning, take a long walk through the streets. At noon, eat where the menu has only one page. In the evening, sit by the water, if ${city} has any.`,
    );
    await events.complete(`Have a good time in ${city}!`);
  },
};
