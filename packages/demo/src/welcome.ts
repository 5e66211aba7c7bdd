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
  tasks  in memory, gone when it stops (${dataFolder} will keep them from the next version on)

Try it:

${renderCommands(url)}`;
}

function renderCommands(url: string): string {
  return toCommands({ url, layout: 'wide' })
    .map(({ title, text }) => `# ${title}\n${text}\n`)
    .join('\n');
}
