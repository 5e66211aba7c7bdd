/**
 * Compares the content of artifacts regardless of how it is split into parts: adjacent texts count as one text, and empty texts are
 * ignored.
 */
import type { Part } from '../../protocol/types.js';
import { isSameJson } from './same-json.js';

/** A text, or a part that is not text. */
export type Block = string | Part;

/** A position in known content. Matching parts advance it. */
export class ContentCursor {
  readonly #blocks: readonly Block[];
  #block = 0;
  #offset = 0;

  constructor(blocks: readonly Block[]) {
    this.#blocks = blocks;
  }

  /** True if all known content was matched. */
  get isAtEnd(): boolean {
    const here = this.#blocks[this.#block];
    if (here === undefined) return true;
    return this.#block === this.#blocks.length - 1 && typeof here === 'string' && this.#offset === here.length;
  }

  /** Advances over the parts and returns those after the known content. undefined: they differ from it. */
  skip(parts: readonly Part[]): readonly Part[] | undefined {
    for (const [index, part] of parts.entries()) {
      if (part.text === '') continue;
      if (this.isAtEnd) return parts.slice(index);
      if (part.text === undefined) {
        if (!this.#skipPart(part)) return undefined;
        continue;
      }
      const length = this.#skipText(part.text);
      if (length === undefined) return undefined;
      if (length < part.text.length) return [{ ...part, text: part.text.slice(length) }, ...parts.slice(index + 1)];
    }
    return [];
  }

  #skipPart(part: Part): boolean {
    const text = this.#blocks[this.#block];
    if (typeof text === 'string' && this.#offset === text.length) this.#next();
    const here = this.#blocks[this.#block];
    if (here === undefined || typeof here === 'string' || !isSameJson(here, part)) return false;
    this.#next();
    return true;
  }

  /** Returns how many characters of the text are known. undefined: it differs. */
  #skipText(text: string): number | undefined {
    const here = this.#blocks[this.#block];
    if (typeof here !== 'string') return undefined;
    const length = Math.min(here.length - this.#offset, text.length);
    const isLast = this.#block === this.#blocks.length - 1;
    if ((length < text.length && !isLast) || !here.startsWith(text.slice(0, length), this.#offset)) return undefined;
    this.#offset += length;
    return length;
  }

  #next(): void {
    this.#block += 1;
    this.#offset = 0;
  }
}

/** True if the parts appear in the content, adjacent and in this order. */
export function contains(known: readonly Block[], parts: readonly Part[]): boolean {
  const searched = toBlocks(parts);
  if (searched.length < 2) return searched.every((block) => known.some((here) => includes(here, block)));
  return known.some((_, start) => searched.every((block, index) => isAt(known[start + index], block, place(index, searched.length))));
}

type Place = 'first' | 'middle' | 'last';

function place(index: number, count: number): Place {
  if (index === 0) return 'first';
  return index === count - 1 ? 'last' : 'middle';
}

/** The first text may start, and the last text may end, in the middle of a known text. */
function isAt(here: Block | undefined, block: Block, at: Place): boolean {
  if (typeof here !== 'string' || typeof block !== 'string') return here !== undefined && isSameJson(here, block);
  if (at === 'first') return here.endsWith(block);
  return at === 'last' ? here.startsWith(block) : here === block;
}

function includes(here: Block, block: Block): boolean {
  return typeof here === 'string' && typeof block === 'string' ? here.includes(block) : isSameJson(here, block);
}

export function toBlocks(parts: readonly Part[]): Block[] {
  const blocks: Block[] = [];
  for (const part of parts) {
    if (part.text === '') continue;
    const last = blocks.at(-1);
    if (part.text === undefined) blocks.push(part);
    else if (typeof last === 'string') blocks[blocks.length - 1] = last + part.text;
    else blocks.push(part.text);
  }
  return blocks;
}
