import type { Ability } from '../ability.js';

/** Lists itself and the others, one line each. */
export function help(others: readonly Ability[]): Ability {
  const self: Ability = {
    word: 'help',
    name: 'Help',
    about: 'all that it answers to, one line each',
    async run(_context, events) {
      await events.appendText('help', 'Write one of these words, or anything else:\n');
      for (const { word, about } of [self, ...others]) await events.appendText('help', `- ${word}: ${about}\n`);
      await events.complete();
    },
  };
  return self;
}
