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
export function renderWelcome(url: string, dataFolder: string): string {
  return `
The demo agent listens. Ctrl-C stops it.

  page   ${url}
  card   ${url}/.well-known/agent-card.json
  tasks  in ${dataFolder}, still there after the next start

Try it:

${renderCommands(url, FIRST_COMMANDS)}
More to copy, on the page: answering its questions, cancelling, going on with a conversation.
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
