import type { Ability } from '../ability.js';
import { countIn } from '../count-in.js';
import { pause } from '../pause.js';

const USUAL = 1_000;
const MOST = 100_000;
const PER_LINE = 20;
/** Yields to the event loop after this many chunks, because a store in memory never makes it wait. */
const PAUSE_MS = 250;

export const chunks: Ability = {
  word: 'chunks',
  name: 'Send many chunks',
  about: 'Sends 1,000 small chunks of text as fast as the store can commit them. "chunks 10000" sends more; the text is always the same.',
  example: 'chunks 1000',
  async run(context, events) {
    const count = countIn(context.text, { usual: USUAL, most: MOST });
    await events.working(`Sending ${count} chunks`);
    for (let index = 1; index <= count; index++) {
      await events.appendText('chunks', chunkAt(index), { last: index === count });
      if (index % PAUSE_MS === 0) await pause(context, 0);
    }
    await events.complete();
  },
};

/** Plain numbers, so that a missing, duplicate or swapped chunk is easy to see. */
function chunkAt(index: number): string {
  return `${index}${index % PER_LINE === 0 ? '\n' : ' '}`;
}
