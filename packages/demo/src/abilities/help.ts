import type { Ability } from '../ability.js';

/** Lists itself and the other abilities, one line each. */
export function help(others: readonly Ability[]): Ability {
  const self: Ability = {
    word: 'help',
    name: 'Help',
    about: 'Lists everything the demo can do.',
    async run(_context, events) {
      await events.appendText('help', 'Start a message with one of these words, or send any other text:\n');
      for (const { word, about } of [self, ...others]) await events.appendText('help', `- ${word}: ${about}\n`);
      await events.complete();
    },
  };
  return self;
}
