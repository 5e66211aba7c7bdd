import type { Message } from '@parley/a2a';
import type { Ability } from '../ability.js';

export const recall: Ability = {
  word: 'recall',
  name: 'Recall the conversation',
  about: 'Lists the earlier messages of the same conversation. Send it with the contextId of an earlier task.',
  async run(context, events) {
    const messages = await context.conversation({ limit: 20 });
    const lines = messages.map(toLine);
    await events.appendText('memories', lines.length > 0 ? lines.join('\n') : 'This is the first thing you say here.', { last: true });
    await events.complete();
  },
};

function toLine({ role, parts }: Message): string {
  const text = parts.map((part) => part.text ?? '(no text)').join(' ');
  return `${role === 'ROLE_USER' ? 'You' : 'I'} said: ${text}`;
}
