/** Access to the database: reads run at once; writes run in order and are answered when they have the requested durability. */
import { A2AError } from '../../protocol/errors.js';
import type { Checkpoints, WriteSize } from './checkpoint.js';
import type { DiskSync } from './disk-sync.js';
import { toUnavailable } from './failure.js';
import type { Gate } from './gate.js';
import type { WriteHealth } from './write-health.js';

export interface AccessParts {
  readonly gate: Gate;
  readonly sync: DiskSync;
  readonly checkpoints: Checkpoints;
  readonly health: WriteHealth;
  /** Every write is synced to disk before it is answered. */
  readonly syncsAll: boolean;
  /** Called last, when everything else is closed. */
  onClosed(): void;
}

/** Properties of a write. */
export interface WriteFacts<T> {
  /** Whether the answer must wait for the disk. Default: no. */
  readonly isDurable?: (answer: T) => boolean;
  /** The approximate size of the write. Default: one small row. */
  readonly sizeOf?: (answer: T) => WriteSize;
}

const ONE_ROW: WriteSize = { rows: 1, appends: 0, chars: 0 };

export class Access {
  readonly #parts: AccessParts;
  readonly #beside = new Set<Promise<void>>();
  #lastAlone: Promise<void> = Promise.resolve();
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
    try {
      const answer = await gate.pass(() => guarded(work));
      checkpoints.wrote(sizeOf?.(answer) ?? ONE_ROW);
      if (syncsAll || isDurable?.(answer) === true) await sync.reached().catch(fail);
      return answer;
    } catch (error) {
      this.#parts.health.failed();
      throw error;
    }
  }

  /** Runs work of another connection that writes: one at a time, on disk before it is answered. Writes wait, reads do not. */
  alone<T>(work: () => Promise<T>, sizeOf: (answer: T) => WriteSize): Promise<T> {
    this.#check();
    const answer = this.#lastAlone.then(() => this.#runAlone(work, sizeOf));
    this.#lastAlone = answer.then(ignore, ignore);
    return answer;
  }

  async #runAlone<T>(work: () => Promise<T>, sizeOf: (answer: T) => WriteSize): Promise<T> {
    const { gate, sync, checkpoints, health } = this.#parts;
    const release = gate.hold();
    try {
      const answer = await work();
      checkpoints.wrote(sizeOf(answer));
      await sync.reached();
      return answer;
    } catch (error) {
      health.failed();
      return fail(error);
    } finally {
      release();
    }
  }

  /** Runs work beside reads and writes. The store closes after it. */
  async beside(work: () => Promise<void>): Promise<void> {
    this.#check();
    const running = work();
    this.#beside.add(running);
    try {
      await running;
    } finally {
      this.#beside.delete(running);
    }
  }

  /** Waits for earlier calls. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#beside);
    await this.#lastAlone;
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

function ignore(): void {}

function fail(error: unknown): never {
  throw toUnavailable(error);
}
