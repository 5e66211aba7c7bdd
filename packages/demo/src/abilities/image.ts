import { type Ability, wordsBehind } from '../ability.js';
import { paintRings } from '../rings.js';

export const image: Ability = {
  word: 'image',
  name: 'Paint a picture',
  about: 'a small PNG as an artifact; other words behind it give other colours',
  example: 'image of the sea',
  outputModes: ['image/png'],
  async run(context, events) {
    const bytes = paintRings(wordsBehind(context.text));
    await events.file({ id: 'picture', filename: 'picture.png', mediaType: 'image/png', bytes });
    await events.complete('Painted without looking.');
  },
};
