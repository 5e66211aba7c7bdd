import type { Ability } from '../ability.js';
import { speak } from '../speak.js';

const FENCE = '```';

const PAGE = `# A walk in four parts

This page is *Markdown*, streamed **a few words at a time**. While it arrives, you see the table grow.

## What to take

1. Water, for you
2. A map, for the way
   - on paper
   - folded wrongly
3. Patience, for the others

## How long it takes

| from | to | km | minutes |
|---|---|---:|---:|
| the gate | the ford | 2.4 | 35 |
| the ford | the old mill | 3.1 | 50 |
| the old mill | home | 5.0 | 80 |

## The same for programs

${FENCE}ts
const legs = [2.4, 3.1, 5.0];
const total = legs.reduce((sum, km) => sum + km, 0); // 10.5
${FENCE}

> If you get lost, go back to the last sign.

The protocol is described at [a2a-protocol.org](https://a2a-protocol.org). Send \`help\` to see what else I can do.
`;

export const markdown: Ability = {
  word: 'markdown',
  name: 'Write Markdown',
  about: 'Streams a page with headings, lists, a table, code and a link.',
  outputModes: ['text/markdown'],
  async run(context, events) {
    await events.working();
    await speak({ context, events }, 'page', PAGE);
    await events.complete();
  },
};
