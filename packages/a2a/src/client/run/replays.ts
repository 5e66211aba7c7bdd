/**
 * Which artifacts may come again: those that were finished before the last gap, from peers that do not number their events. One of which
 * something new has come since is not among them: what is behind that is new too.
 */
import type { Part, TaskArtifactUpdateEvent } from '../../protocol/types.js';
import { isSameContent } from './difference.js';

export class Replays {
  readonly #finished = new Set<string>();
  #settled = new Set<string>();

  /** What comes next may have come before. */
  markGap(): void {
    this.#settled = new Set(this.#finished);
  }

  /** All that there is has come, in a snapshot or by a stream without a gap: what comes next has not come before. */
  endGap(): void {
    this.#settled.clear();
  }

  note({ artifact, lastChunk }: TaskArtifactUpdateEvent): void {
    this.#settled.delete(artifact.artifactId);
    if (lastChunk === true) this.#finished.add(artifact.artifactId);
    else this.#finished.delete(artifact.artifactId);
  }

  /** All of a finished artifact comes again as it was told, or one more piece of it. With other content it was replaced. */
  has({ artifact, append }: TaskArtifactUpdateEvent, told: readonly Part[] | undefined): boolean {
    return this.#settled.has(artifact.artifactId) && (append === true || isSameContent(told, artifact.parts));
  }
}
