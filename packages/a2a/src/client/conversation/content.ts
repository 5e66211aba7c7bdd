/**
 * The content of an answer: all messages and artifacts of the agent, in the order of their first appearance. Texts only grow at their end,
 * so a stream of n chunks costs n steps. Parts that did not change keep their identity.
 */
import type { Message, Part } from '../../protocol/types.js';
import { joinTexts, seamOf } from '../answer-text.js';
import { textOf } from '../reply.js';

/** A list of parts that grows at its end. */
class GrowingParts {
  #done: Part[] = [];
  #tail: Part | undefined;
  /** The text of the tail. The part object is created on the next read. */
  #text = '';
  /** The last characters of `#text`, to choose the separator. Slicing `#text` instead would copy the whole text for each chunk. */
  #end = '';
  #isStale = false;

  get parts(): readonly Part[] {
    const tail = this.#freshTail();
    return tail === undefined ? this.#done : [...this.#done, tail];
  }

  get text(): string {
    return textOf(this.parts);
  }

  /** Appends a part. `seam` returns the separator between the old and the new text, or undefined to keep them as two parts. */
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

/** Consecutive messages, or one artifact. */
interface Block {
  /** undefined: the block contains messages. */
  readonly artifactId: string | undefined;
  readonly growing: GrowingParts;
  /** Number of messages in the block. */
  said: number;
  /** true: the block shows the artifact from its start; false: only the parts that arrived in this answer. */
  isWhole: boolean;
}

/** A saved block: a number of consecutive messages, or an artifact. `parts` is set if only some parts of the artifact are shown. */
export type KeptBlock = { readonly said: number } | { readonly artifactId: string; readonly parts?: readonly Part[] };

export interface BlockLayout {
  readonly isArtifact: boolean;
  readonly count: number;
}

/** The text of parts that are grouped as in `layout`. */
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

  /** The list keeps its identity until something changes. */
  get parts(): readonly Part[] {
    this.#parts ??= Object.freeze(this.#blocks.flatMap(({ growing }) => growing.parts));
    return this.#parts;
  }

  /** The number of parts in each block, for `textOfBlocks`. */
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

  /** Number of messages that are shown. */
  get said(): number {
    return this.#said;
  }

  /** Whether a final message only repeats text that is already shown, as many agents do. */
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

  /** Adds parts to an artifact. `append` false: the artifact starts, or its earlier parts are replaced. */
  add(artifactId: string, parts: readonly Part[], append: boolean): void {
    this.#parts = undefined;
    const block = this.#artifacts.get(artifactId) ?? this.#begin(artifactId);
    if (!append) block.growing.clear();
    if (!append) block.isWhole = true;
    for (const part of parts) block.growing.push(part, () => '');
  }

  /** The blocks to save; messages and task are saved separately. */
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

// Two characters: a sentence mark, and a quote or bracket that may close after it.
function endOf(text: string): string {
  return text.slice(-2);
}

function isSameButText(one: Part, other: Part): boolean {
  if (one.text === undefined || other.text === undefined || one.mediaType !== other.mediaType) return false;
  return [one, other].every(({ metadata, filename }) => metadata === undefined && filename === undefined);
}
