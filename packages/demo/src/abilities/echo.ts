import type { Part } from '@parley/a2a';
import type { Ability } from '../ability.js';
import { speak } from '../speak.js';

const MAX_QUOTE = 400;

export const echo: Ability = {
  word: 'echo',
  name: 'Echo',
  about: 'Sends any other text back, streamed as one artifact in several chunks.',
  example: 'Any other text',
  async run(context, events) {
    await events.working();
    await speak(
      { context, events },
      'answer',
      `You sent ${describe(context.parts)}. I am a demo and only repeat what I get. Send "help" to see what else I can do.`,
    );
    await events.complete();
  },
};

function describe(parts: readonly Part[]): string {
  return parts.map(describePart).join(', and ');
}

function describePart(part: Part): string {
  if (part.text !== undefined) return `the text “${shorten(part.text)}”`;
  if (part.data !== undefined) return `the data ${shorten(JSON.stringify(part.data))}`;
  const { filename = 'without a name', mediaType = 'of unknown type' } = part;
  return `a file ${filename} (${mediaType})`;
}

const shorten = (text: string): string => (text.length > MAX_QUOTE ? `${text.slice(0, MAX_QUOTE)}…` : text);
