import type { Ability } from '../ability.js';

const CSV = `planet,moons,day in hours
Mercury,0,4222.6
Venus,0,2802
Earth,1,24
Mars,2,24.7
`;

export const file: Ability = {
  word: 'file',
  name: 'Return a file',
  about: 'Returns a CSV file as an artifact.',
  outputModes: ['text/csv'],
  async run(_context, events) {
    await events.file({ filename: 'planets.csv', mediaType: 'text/csv', text: CSV });
    await events.complete('Here are four planets.');
  },
};
