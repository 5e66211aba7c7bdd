import type { RequestContext, TaskEvents } from '@parley/a2a/server';
import { pause } from './pause.js';

const WORDS_PER_CHUNK = 3;
const CHUNK_MS = 40;

export interface Speech {
  readonly context: RequestContext;
  readonly events: TaskEvents;
}

/** Streams a text as an artifact, a few words at a time, like a model. */
export async function speak(
  { context, events }: Speech,
  artifactId: string,
  text: string,
  names: { readonly name?: string } = {},
): Promise<void> {
  const chunks = toChunks(text);
  for (const [index, chunk] of chunks.entries()) {
    await events.appendText(artifactId, chunk, { ...names, last: index === chunks.length - 1 });
    await pause(context, CHUNK_MS);
  }
}

/** Chunks that give the text when they are joined. */
function toChunks(text: string): readonly string[] {
  return text.match(new RegExp(`(?:\\S+\\s*|\\s+){1,${WORDS_PER_CHUNK}}`, 'g')) ?? [];
}
