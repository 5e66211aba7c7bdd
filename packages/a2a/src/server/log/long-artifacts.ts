/**
 * Serializes a long streamed text from its chunks. `JSON.stringify` of the whole text would first copy it into one string, and the engine
 * collects such copies late: two artifacts of 39 MB that ended together took 540 MiB of memory, and take 440 so.
 */

import { isTextPart } from '../../protocol/text-parts.js';
import type { Artifact, Part, TaskArtifactUpdateEvent } from '../../protocol/types.js';

/** Artifacts that begin with a shorter chunk are not tracked: most streams have many small chunks, which are serialized together. */
const MIN_CHUNK = 4 * 1024;
/** Shorter texts are serialized as a whole. */
const MIN_TEXT = 1024 * 1024;
/** Takes the place of the text while the rest is serialized. */
const PLACEHOLDER = '\u0000text\u0000';
const IN_JSON = JSON.stringify(PLACEHOLDER);

export class LongArtifacts {
  readonly #chunks = new Map<string, string[]>();

  /** Call it for each artifact event, in order. */
  follow({ artifact, append }: TaskArtifactUpdateEvent): void {
    const { artifactId, parts } = artifact;
    if (append !== true) {
      if (this.#chunks.size > 0) this.#chunks.delete(artifactId);
      if ((parts[0]?.text?.length ?? 0) < MIN_CHUNK || !parts.every(isTextPart)) return;
      this.#chunks.set(artifactId, []);
    }
    const chunks = this.#chunks.size === 0 ? undefined : this.#chunks.get(artifactId);
    if (chunks === undefined) return;
    if (parts.every(isTextPart)) for (const { text } of parts) add(chunks, text);
    else this.#chunks.delete(artifactId);
  }

  /** Equal to `JSON.stringify(artifact)`; undefined if the artifact is not one long text of known chunks. */
  serialize(artifact: Artifact): string | undefined {
    const { artifactId, parts } = artifact;
    const [part] = parts;
    if (part?.text === undefined || part.text.length < MIN_TEXT || parts.length > 1) return undefined;
    const chunks = this.#chunks.get(artifactId);
    if (chunks === undefined || lengthOf(chunks) !== part.text.length) return undefined;
    const [before, after, ...more] = shellOf(artifact, part).split(IN_JSON);
    if (before === undefined || after === undefined || more.length > 0) return undefined; // the artifact contains the placeholder
    const texts = chunks.map((chunk) => JSON.stringify(chunk).slice(1, -1));
    return [before, '"', ...texts, '"', after].join('');
  }
}

const shellOf = (artifact: Artifact, part: Part): string => JSON.stringify({ ...artifact, parts: [{ ...part, text: PLACEHOLDER }] });

const lengthOf = (chunks: readonly string[]): number => chunks.reduce((length, { length: more }) => length + more, 0);

/**
 * Short chunks are joined: a million of them would need more memory than their text. A chunk may end in the middle of a character, which
 * JSON would escape: then the next chunk belongs to it.
 */
function add(chunks: string[], text: string): void {
  const last = chunks.at(-1);
  if (last !== undefined && (last.length < MIN_CHUNK || isHighSurrogate(last.charCodeAt(last.length - 1)))) {
    chunks[chunks.length - 1] = last + text;
  } else chunks.push(text);
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
