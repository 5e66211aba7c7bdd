import type { Ability } from '../ability.js';

/** Lists the others, one line each. */
export function help(others: readonly Ability[]): Ability {
  return {
    word: 'help',
    name: 'Help',
    about: 'this list',
    async run(_context, events) {
      await events.appendText('help', 'Write one of these words, or anything else:\n');
      for (const { word, about } of others) await events.appendText('help', `- ${word}: ${about}\n`);
      await events.complete();
    },
  };
}
