import { type Ability, wordsBehind } from '../ability.js';
import { encodePng, type Pixel } from '../png.js';

const SIZE = 64;

export const image: Ability = {
  word: 'image',
  name: 'Paint a picture',
  about: 'a small PNG as an artifact; other words behind it give other colours',
  example: 'image of the sea',
  outputModes: ['image/png'],
  async run(context, events) {
    const bytes = encodePng({ width: SIZE, height: SIZE }, painter(wordsBehind(context.text)));
    await events.file({ id: 'picture', filename: 'picture.png', mediaType: 'image/png', bytes });
    await events.complete('Painted without looking.');
  },
};

/** Rings whose colours follow from the words. */
function painter(words: string): (x: number, y: number) => Pixel {
  let seed = 7;
  for (const letter of words) seed = (seed * 31 + (letter.codePointAt(0) ?? 0)) % 997;
  return (x, y) => {
    const ring = Math.hypot(x - SIZE / 2, y - SIZE / 2) / 9 + seed;
    return [shade(ring), shade(ring * 1.3 + seed), shade(ring * 0.7 + 2 * seed)];
  };
}

const shade = (angle: number): number => Math.round(128 + 127 * Math.sin(angle));
