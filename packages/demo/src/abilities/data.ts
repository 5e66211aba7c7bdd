import type { Ability } from '../ability.js';

export const data: Ability = {
  word: 'data',
  name: 'Return structured data',
  about: 'Returns facts about your message as JSON, for programs to read.',
  outputModes: ['application/json'],
  async run(context, events) {
    const { text, parts, taskId, contextId } = context;
    await events.data({ text, characters: text.length, parts: parts.length, taskId, contextId }, { id: 'measured', name: 'What you sent' });
    await events.complete();
  },
};
