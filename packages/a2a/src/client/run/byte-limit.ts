/** Limits the memory of a followed task. Sizes are estimates: the characters of texts and names, and a constant for other values. */
import { A2ATransportError } from '../../protocol/errors.js';
import { isTextPart } from '../../protocol/text-parts.js';
import type { TaskArtifactUpdateEvent } from '../../protocol/types.js';

const OBJECT_BYTES = 32;
const VALUE_BYTES = 8;

/** The estimated size of a JSON value. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return VALUE_BYTES;
  let size = OBJECT_BYTES;
  if (Array.isArray(value)) for (const item of value) size += sizeOf(item);
  else for (const [name, member] of Object.entries(value)) size += name.length + sizeOf(member);
  return size;
}

/** The size of a chunk. Most chunks are one text, which is added to the text before it. */
export function sizeOfChunk({ artifact, append }: TaskArtifactUpdateEvent): number {
  const { parts, name, description, metadata } = artifact;
  const [part] = parts;
  const isText = append === true && parts.length === 1 && isTextPart(part);
  return isText && name === undefined && description === undefined && metadata === undefined ? part.text.length : sizeOf(artifact);
}

export class ByteLimit {
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes = Number.POSITIVE_INFINITY) {
    this.#maxBytes = maxBytes;
  }

  /** Adds the size of an event. Returns false above the limit: then count the task, because events may have replaced content. */
  add(bytes: number): boolean {
    this.#bytes += bytes;
    return this.#bytes <= this.#maxBytes;
  }

  /** Sets the size. Counting takes time, so a task that is still within a tenth of the limit is too large. */
  reset(bytes: number): void {
    if (bytes > this.#maxBytes * 0.9) throw tooLarge(this.#maxBytes);
    this.#bytes = bytes;
  }
}

function tooLarge(maxBytes: number): A2ATransportError {
  const text = `The task is larger than ${maxBytes} bytes, the limit of this client: set maxTaskBytes to follow larger tasks`;
  return new A2ATransportError('serialization', text, { sent: true, retryable: false });
}
