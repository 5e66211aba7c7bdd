/** One thing that the demo can show. */
import type { AgentSkill } from '@parley/a2a';
import type { RequestContext, TaskEvents } from '@parley/a2a/server';

export interface Ability {
  /** Whoever writes this as the first word of a message gets it. */
  readonly word: string;
  readonly name: string;
  /** What happens, in one line: for help, the page and the card. */
  readonly about: string;
  /** A message that shows it. Default: the word. */
  readonly example?: string;
  /** Media types it gives, where they are not plain text. */
  readonly outputModes?: readonly string[];
  run(context: RequestContext, events: TaskEvents): Promise<void>;
}

/** What the message says behind its first word. */
export function wordsBehind(text: string): string {
  return text.trim().replace(/^\S+\s*/, '');
}

export function toSkill({ word, name, about, example = word, outputModes }: Ability): AgentSkill {
  return { id: word, name, description: about, tags: ['demo'], examples: [example], ...(outputModes && { outputModes }) };
}
