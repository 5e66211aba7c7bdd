import { ABILITIES } from './abilities.js';
import { toCommands } from './commands.js';

/** The text for terminals that request `/`. */
export function renderText(url: string): string {
  const words = ABILITIES.map(({ word, about }) => `  ${word.padEnd(9)} ${about}`);
  return `Parley demo: an A2A agent at ${url}

Start a message with one of these words, or send any other text:

${words.join('\n')}

${renderCommands(url)}`;
}

/** The text that `npm start` prints when the agent listens. */
export function renderWelcome(url: string, place: string): string {
  return `
The demo agent is running. Press Ctrl-C to stop it.

  open   ${url}   Parley Studio: chat with the agent and watch its tasks, event by event
  card   ${url}/.well-known/agent-card.json
  tasks  in ${place}, kept across restarts

Or use curl in another terminal:

${renderCommands(url, FIRST_COMMANDS)}
More commands at ${url}/-/commands: answer a question, cancel a task, continue a conversation.
`;
}

/** As many as fit on one screen with the rest. */
const FIRST_COMMANDS = 3;

function renderCommands(url: string, count?: number): string {
  return toCommands({ url, layout: 'wide' })
    .slice(0, count)
    .map(({ title, text }) => `# ${title}\n${text}\n`)
    .join('\n');
}
