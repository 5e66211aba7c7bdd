/** One thing that the demo can do. */
import type { AgentSkill } from '@parley/a2a';
import type { RequestContext, TaskEvents } from '@parley/a2a/server';

export interface Ability {
  /** A message that begins with this word selects the ability. */
  readonly word: string;
  readonly name: string;
  /** One or two sentences for help, the page and the card. */
  readonly about: string;
  /** An example message. Default: the word. */
  readonly example?: string;
  /** The media types of its output, if it is not plain text. */
  readonly outputModes?: readonly string[];
  run(context: RequestContext, events: TaskEvents): Promise<void>;
}

/** The message without its first word. */
export function wordsBehind(text: string): string {
  return text.trim().replace(/^\S+\s*/, '');
}

export function toSkill({ word, name, about, example = word, outputModes }: Ability): AgentSkill {
  return { id: word, name, description: about, tags: ['demo'], examples: [example], ...(outputModes && { outputModes }) };
}
