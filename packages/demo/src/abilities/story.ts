import type { Ability } from '../ability.js';
import { speak } from '../speak.js';

const STORY = `The lighthouse keeper had not spoken to another soul for so long that she began to write letters to the ships.

She wrote them on the backs of old charts, put each into a bottle, and numbered it with chalk: one, two, three. If a number was missing, she thought, anyone finding the others would know that something had been said.

One evening a boat came in. The boy at its oars held up a bottle marked seventeen. "This one stops in the middle of a sentence," he said. "I have come for the rest."

She laughed, and took eighteen from the shelf, and nineteen, and twenty. He read them by the light of the great lamp, in order, missing none and reading none twice, while the sea went on below them as it always had.

When he left she stood at the rail and counted his strokes until they were too far to hear. Then she found a clean chart, and her pen, and began: twenty-one.`;

export const story: Ability = {
  word: 'story',
  name: 'Tell a story',
  about: 'Streams a long text as one artifact in many chunks.',
  async run(context, events) {
    await events.working('Once upon a time');
    await speak({ context, events }, 'story', STORY);
    await events.complete();
  },
};
