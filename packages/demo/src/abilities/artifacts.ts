import type { Ability } from '../ability.js';
import { pause } from '../pause.js';
import { paintRings } from '../rings.js';
import { speak } from '../speak.js';

const PIECE_MS = 60;

const ROWS = ['month,rain in mm,days', 'January,68,17', 'February,49,13', 'March,52,14', 'April,38,11', 'May,55,12', 'June,61,12'];

export const artifacts: Ability = {
  word: 'artifacts',
  name: 'Return several artifacts',
  about: 'Returns a text, a table, an image and JSON data as four named artifacts. The first two arrive in chunks.',
  outputModes: ['text/plain', 'text/csv', 'image/png', 'application/json'],
  async run(context, events) {
    await events.working('Collecting');
    const notes = 'January was the wettest month. April was the driest, with only 38 mm of rain.';
    await speak({ context, events }, 'notes', notes, { name: 'notes.txt' });
    for (const [index, row] of ROWS.entries()) {
      const parts = [{ text: `${row}\n`, filename: 'rain.csv', mediaType: 'text/csv' }];
      await events.artifact({ artifactId: 'rain', name: 'rain.csv', parts }, { append: index > 0, last: index === ROWS.length - 1 });
      await pause(context, PIECE_MS);
    }
    await events.file({ id: 'rings', name: 'rings.png', filename: 'rings.png', mediaType: 'image/png', bytes: paintRings('rain') });
    await events.data({ months: ROWS.length - 1, wettest: 'January', total: { mm: 323, days: 79 } }, { id: 'sums', name: 'sums.json' });
    await events.complete('Here are the four artifacts.');
  },
};
