/**
 * What an answer shows: everything that the agent said and made in its turn, in the order in which it first appeared. Texts only ever grow at
 * their end, so a stream of n chunks costs n steps, and what did not change stays the same object.
 */
import type { Message, Part } from '../../protocol/types.js';
import { joinTexts, seamOf } from '../answer-text.js';
import { textOf } from '../reply.js';

/** Parts that grow at their end. */
class GrowingParts {
  #done: Part[] = [];
  #tail: Part | undefined;
  /** The text of the tail; the part itself is made when somebody looks. */
  #text = '';
  /** The end of that text, for the seam. Looking for it in the text would copy the whole text each time. */
  #end = '';
  #isStale = false;

  get parts(): readonly Part[] {
    const tail = this.#freshTail();
    return tail === undefined ? this.#done : [...this.#done, tail];
  }

  get text(): string {
    return textOf(this.parts);
  }

  /** Gives what stands between the two texts; undefined: they stay two parts. */
  push(part: Part, seam: (end: string, text: string) => string | undefined): void {
    const between = this.#tail !== undefined && isSameButText(this.#tail, part) ? seam(this.#end, part.text ?? '') : undefined;
    if (between === undefined) {
      this.#begin(part);
      return;
    }
    if (part.text === undefined || part.text === '') return;
    this.#text += between + part.text;
    this.#end = endOf(part.text);
    this.#isStale = true;
  }

  clear(): void {
    this.#done = [];
    this.#tail = undefined;
    this.#text = '';
    this.#end = '';
  }

  #begin(part: Part): void {
    const tail = this.#freshTail();
    if (tail !== undefined) this.#done.push(tail);
    const { text } = part;
    this.#tail = text === undefined ? undefined : part;
    this.#text = text ?? '';
    this.#end = endOf(this.#text);
    if (text === undefined) this.#done.push(part);
  }

  #freshTail(): Part | undefined {
    if (this.#tail !== undefined && this.#isStale) this.#tail = { ...this.#tail, text: this.#text };
    this.#isStale = false;
    return this.#tail;
  }
}

/** A run of messages, or one artifact. */
interface Block {
  /** undefined: what was said. */
  readonly artifactId: string | undefined;
  readonly growing: GrowingParts;
  /** How many messages are in it. */
  said: number;
  /** Shows the artifact from its beginning, and not only what came of it in this turn. */
  isWhole: boolean;
}

/** How a block is kept: so many of the messages that were said; or an artifact, with its parts where only some are shown. */
export type KeptBlock = { readonly said: number } | { readonly artifactId: string; readonly parts?: readonly Part[] };

export interface BlockLayout {
  readonly isArtifact: boolean;
  readonly count: number;
}

/** The text of parts that are laid out like this. */
export function textOfBlocks(parts: readonly Part[], layout: readonly BlockLayout[]): string {
  let at = 0;
  return joinTexts(
    layout.map(({ isArtifact, count }) => {
      at += count;
      return { isArtifact, text: textOf(parts.slice(at - count, at)) };
    }),
  );
}

export class Content {
  readonly #blocks: Block[] = [];
  readonly #artifacts = new Map<string, Block>();
  #parts: readonly Part[] | undefined;
  #said = 0;

  /** The same list as long as nothing changes. */
  get parts(): readonly Part[] {
    this.#parts ??= Object.freeze(this.#blocks.flatMap(({ growing }) => growing.parts));
    return this.#parts;
  }

  /** How many of the parts belong to each block, for `textOfBlocks`. */
  get layout(): readonly BlockLayout[] {
    return this.#blocks.map(({ artifactId, growing }) => ({ isArtifact: artifactId !== undefined, count: growing.parts.length }));
  }

  /** In the order of their first appearance. */
  get artifactIds(): Iterable<string> {
    return this.#artifacts.keys();
  }

  get artifactCount(): number {
    return this.#artifacts.size;
  }

  /** How many messages it shows. */
  get said(): number {
    return this.#said;
  }

  /** Whether a last word only says again what is there, as many agents do. */
  repeats(parts: readonly Part[]): boolean {
    const word = textOf(parts).trim();
    if (word === '' || parts.some(({ text }) => text === undefined)) return false;
    return this.#blocks.some(({ growing }) => growing.text.trim() === word);
  }

  say({ parts }: Message): void {
    this.#parts = undefined;
    const last = this.#blocks.at(-1);
    const block = last?.artifactId === undefined ? last : undefined;
    const here = block ?? this.#begin(undefined);
    const { growing } = here;
    here.said += 1;
    this.#said += 1;
    parts.forEach((part, index) => {
      growing.push(part, (end, text) => (index === 0 ? seamOf(end, text) : undefined));
    });
  }

  /** `append` false: the artifact begins, or begins anew. */
  add(artifactId: string, parts: readonly Part[], append: boolean): void {
    this.#parts = undefined;
    const block = this.#artifacts.get(artifactId) ?? this.#begin(artifactId);
    if (!append) block.growing.clear();
    if (!append) block.isWhole = true;
    for (const part of parts) block.growing.push(part, () => '');
  }

  /** To be built again from the messages and the task. */
  keep(): KeptBlock[] {
    return this.#blocks.map(({ artifactId, said, isWhole, growing }) => {
      if (artifactId === undefined) return { said };
      return isWhole ? { artifactId } : { artifactId, parts: growing.parts };
    });
  }

  #begin(artifactId: string | undefined): Block {
    const block: Block = { artifactId, growing: new GrowingParts(), said: 0, isWhole: false };
    this.#blocks.push(block);
    if (artifactId !== undefined) this.#artifacts.set(artifactId, block);
    return block;
  }
}

// A sentence mark and what may close behind it.
function endOf(text: string): string {
  return text.slice(-2);
}

function isSameButText(one: Part, other: Part): boolean {
  if (one.text === undefined || other.text === undefined || one.mediaType !== other.mediaType) return false;
  return [one, other].every(({ metadata, filename }) => metadata === undefined && filename === undefined);
}
