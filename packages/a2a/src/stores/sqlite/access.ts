/** How calls reach the database: reads at once; writes in order, and answered when they are as safe as was asked. */
import { A2AError } from '../../protocol/errors.js';
import type { Checkpoints, WriteSize } from './checkpoint.js';
import type { DiskSync } from './disk-sync.js';
import { toUnavailable } from './failure.js';
import type { Gate } from './gate.js';

export interface AccessParts {
  readonly gate: Gate;
  readonly sync: DiskSync;
  readonly checkpoints: Checkpoints;
  /** Every write is synced to the disk before its answer. */
  readonly syncsAll: boolean;
  /** After everything else. */
  onClosed(): void;
}

/** What else there is to know of a write. */
export interface WriteFacts<T> {
  /** Whether the answer has to wait for the disk. Default: no. */
  readonly isDurable?: (answer: T) => boolean;
  /** About how much was written. Default: one small row. */
  readonly sizeOf?: (answer: T) => WriteSize;
}

const ONE_ROW: WriteSize = { rows: 1, appends: 0, chars: 0 };

export class Access {
  readonly #parts: AccessParts;
  #closed: Promise<void> | undefined;

  constructor(parts: AccessParts) {
    this.#parts = parts;
  }

  async read<T>(work: () => T): Promise<T> {
    this.#check();
    return guarded(work);
  }

  async write<T>(work: () => T, { isDurable, sizeOf }: WriteFacts<T> = {}): Promise<T> {
    this.#check();
    const { gate, sync, checkpoints, syncsAll } = this.#parts;
    const answer = await gate.pass(() => guarded(work));
    checkpoints.wrote(sizeOf?.(answer) ?? ONE_ROW);
    if (syncsAll || isDurable?.(answer) === true) await sync.reached().catch(fail);
    return answer;
  }

  /** What was called before is finished first. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await this.#parts.checkpoints.close();
    await this.#parts.sync.close();
    this.#parts.onClosed();
  }

  #check(): void {
    if (this.#closed !== undefined) throw new A2AError('AGENT_UNAVAILABLE', 'The store is closed');
  }
}

function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    return fail(error);
  }
}

function fail(error: unknown): never {
  throw toUnavailable(error);
}
