import { ABILITIES } from './abilities.js';
import { toCommands } from './commands.js';

/** What a terminal shows of the agent at this address. */
export function renderText(url: string): string {
  const words = ABILITIES.map(({ word, about }) => `  ${word.padEnd(9)} ${about}`);
  return `The Parley demo agent, an A2A agent at ${url}

It answers to these words, and to anything else:

${words.join('\n')}

${renderCommands(url)}`;
}

/** What `npm start` says when the agent listens. */
export function renderWelcome(url: string, place: string): string {
  return `
The demo agent listens. Ctrl-C stops it.

  open   ${url}   Parley Studio: talk to the agent, and watch its tasks event by event
  card   ${url}/.well-known/agent-card.json
  tasks  in ${place}, still there after the next start

Or in a terminal:

${renderCommands(url, FIRST_COMMANDS)}
More to copy at ${url}/-/commands: answering its questions, cancelling, going on with a conversation.
`;
}

/** As many as fit on a screen beside the rest. */
const FIRST_COMMANDS = 3;

function renderCommands(url: string, count?: number): string {
  return toCommands({ url, layout: 'wide' })
    .slice(0, count)
    .map(({ title, text }) => `# ${title}\n${text}\n`)
    .join('\n');
}
