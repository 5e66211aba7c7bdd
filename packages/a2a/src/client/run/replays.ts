/** Which artifacts may come again: those that were finished before the last gap, from peers that do not number their events. */
import type { Part, TaskArtifactUpdateEvent } from '../../protocol/types.js';
import { isSameJson } from './difference.js';

export class Replays {
  readonly #finished = new Set<string>();
  #settled: ReadonlySet<string> = new Set();

  /** What comes next may have come before. */
  markGap(): void {
    this.#settled = new Set(this.#finished);
  }

  note({ artifact, lastChunk }: TaskArtifactUpdateEvent): void {
    if (lastChunk === true) this.#finished.add(artifact.artifactId);
    else this.#finished.delete(artifact.artifactId);
  }

  /** All of a finished artifact comes again as it was told, or one more piece of it. With other content it was replaced. */
  has({ artifact, append }: TaskArtifactUpdateEvent, told: readonly Part[] | undefined): boolean {
    return this.#settled.has(artifact.artifactId) && (append === true || isSameJson(told, artifact.parts));
  }
}
