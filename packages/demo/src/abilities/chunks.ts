import type { Ability } from '../ability.js';
import { countIn } from '../count-in.js';
import { pause } from '../pause.js';

const USUAL = 1_000;
const MOST = 100_000;
const PER_LINE = 20;
/** After so many the others have a turn: a store in memory never makes it wait. */
const BREATH = 250;

export const chunks: Ability = {
  word: 'chunks',
  name: 'Send many chunks',
  about: 'a thousand small pieces of text as fast as they can be stored; "chunks 10000" sends more, always the same text',
  example: 'chunks 1000',
  async run(context, events) {
    const count = countIn(context.text, { usual: USUAL, most: MOST });
    await events.working(`Sending ${count} chunks`);
    for (let index = 1; index <= count; index++) {
      await events.appendText('chunks', chunkAt(index), { last: index === count });
      if (index % BREATH === 0) await pause(context, 0);
    }
    await events.complete();
  },
};

/** Numbers in words would tell less: a missing, doubled or swapped chunk shows at once. */
function chunkAt(index: number): string {
  return `${index}${index % PER_LINE === 0 ? '\n' : ' '}`;
}
