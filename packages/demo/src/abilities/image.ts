import { type Ability, wordsBehind } from '../ability.js';
import { paintRings } from '../rings.js';

export const image: Ability = {
  word: 'image',
  name: 'Draw an image',
  about: 'Returns a small PNG image. The words after "image" determine its colors.',
  example: 'image of the sea',
  outputModes: ['image/png'],
  async run(context, events) {
    const bytes = paintRings(wordsBehind(context.text));
    await events.file({ id: 'picture', filename: 'picture.png', mediaType: 'image/png', bytes });
    await events.complete('Here is your image.');
  },
};
