import type { Ability } from '../ability.js';
import { countIn } from '../count-in.js';
import { pause } from '../pause.js';

const MOST_MB = 50;
/** Well below the maximum size of an event. */
const PIECE_BYTES = 250_000;
const PIECES_PER_MB = 1_000_000 / PIECE_BYTES;
const LINE_BYTES = 50;

export const large: Ability = {
  word: 'large',
  name: 'Return a large file',
  about: 'Returns a text file of 1 MB in several chunks. "large 50" returns 50 MB.',
  example: 'large 5',
  async run(context, events) {
    const megabytes = countIn(context.text, { usual: 1, most: MOST_MB });
    const name = `large-${megabytes}.txt`;
    const pieces = megabytes * PIECES_PER_MB;
    for (let piece = 0; piece < pieces; piece++) {
      const parts = [{ text: pieceAt(piece), filename: name, mediaType: 'text/plain' }];
      await events.artifact({ artifactId: 'large', name, parts }, { append: piece > 0, last: piece === pieces - 1 });
      await pause(context, 0); // yields to other tasks, and lets the task be canceled
    }
    await events.complete(`${megabytes} MB.`);
  },
};

/** Lines of equal length, each with its number. */
function pieceAt(piece: number): string {
  const lines = PIECE_BYTES / LINE_BYTES;
  return Array.from({ length: lines }, (_, index) => `line ${piece * lines + index + 1} `.padEnd(LINE_BYTES - 1, '.'))
    .join('\n')
    .concat('\n');
}
