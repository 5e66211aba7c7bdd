import type { Ability } from '../ability.js';

export const data: Ability = {
  word: 'data',
  name: 'Give structured data',
  about: 'JSON as an artifact, for programs rather than for people',
  outputModes: ['application/json'],
  async run(context, events) {
    const { text, parts, taskId, contextId } = context;
    await events.data({ text, characters: text.length, parts: parts.length, taskId, contextId }, { id: 'measured', name: 'What you sent' });
    await events.complete();
  },
};
