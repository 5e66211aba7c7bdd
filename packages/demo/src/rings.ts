import { encodePng, type Pixel } from './png.js';

const SIZE = 64;

/** A small PNG of rings whose colors depend on the words. */
export function paintRings(words: string): Uint8Array {
  return encodePng({ width: SIZE, height: SIZE }, painter(words));
}

function painter(words: string): (x: number, y: number) => Pixel {
  let seed = 7;
  for (const letter of words) seed = (seed * 31 + (letter.codePointAt(0) ?? 0)) % 997;
  return (x, y) => {
    const ring = Math.hypot(x - SIZE / 2, y - SIZE / 2) / 9 + seed;
    return [shade(ring), shade(ring * 1.3 + seed), shade(ring * 0.7 + 2 * seed)];
  };
}

const shade = (angle: number): number => Math.round(128 + 127 * Math.sin(angle));
