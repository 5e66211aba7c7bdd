/** Background work of a node: takes over tasks without a living owner, expires unanswered questions, and deletes old data. */

import { inTime } from '../../platform/in-time.js';
import type { ErrorContext } from '../../platform/logger.js';
import { type A2AError, toA2AError } from '../../protocol/errors.js';
import { DEFAULT_AGENT, type Retention, refKey, type TaskRef, type TaskStore } from '../../stores/store.js';
import type { Settings } from '../options.js';
import type { ActiveTasks } from '../run/active-tasks.js';
import type { Lease } from './lease.js';
import type { NodeClock } from './node-clock.js';

export interface UpkeepParts {
  readonly settings: Settings;
  readonly clock: NodeClock;
  readonly store: TaskStore;
  readonly lease: Lease;
  readonly active: ActiveTasks;
  report(error: A2AError, where: ErrorContext): void;
}

/** With other nodes: how often to check for dead ones. */
const LOOK_EVERY_MS = 1_000;
const SWEEP_EVERY_MS = 60_000;
/** Tasks per query: few enough not to delay calls. */
const BATCH = 100;
/** Concurrent claims: enough to take over a thousand tasks within seconds, few enough not to starve calls. */
const CLAIMS = 8;
const BACKGROUND = { background: true };

interface Batch {
  readonly left: TaskRef[];
  readonly tried: Set<string>;
  /** How many of these tasks other nodes claimed first. */
  lost: number;
}

export class Upkeep {
  readonly #parts: UpkeepParts;
  #chores: Promise<void> | undefined;
  #looking: Promise<void> | undefined;
  #sweptAt: number;
  #stopped = false;
  #takeBack = (): void => {};

  constructor(parts: UpkeepParts) {
    this.#parts = parts;
    this.#sweptAt = parts.clock.own();
  }

  /** Called after each heartbeat. Work that takes longer than one interval is not started twice. */
  doChores(): void {
    if (this.#stopped) return;
    this.#chores ??= this.#doChores().finally(() => {
      this.#chores = undefined;
    });
  }

  /** Also looks for orphans between the heartbeats, if there are other nodes. */
  start(): void {
    if (!this.#parts.store.isRemote || this.#stopped) return;
    const lookAgain = (): void => void this.#lookFor().finally(() => this.start());
    this.#takeBack = this.#parts.clock.after(Math.min(LOOK_EVERY_MS, this.#parts.lease.beatMs), lookAgain, BACKGROUND);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#takeBack();
    await Promise.all([this.#chores, this.#looking]);
  }

  /** Never rejects: failed work is tried again after the next heartbeat. */
  async #doChores(): Promise<void> {
    await this.#lookFor();
    for (const step of [this.#expire, this.#sweep]) await this.#quietly(step);
  }

  async #quietly(step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (cause) {
      const error = toA2AError(cause);
      if (error !== cause) this.#parts.report(error, {}); // errors of the store are already reported
    }
  }

  #lookFor(): Promise<void> {
    this.#looking ??= this.#quietly(() => this.#takeOver()).finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** Takes over tasks of dead nodes and parked tasks with unread inbox rows. Tasks beyond our limit are left to other nodes. */
  async #takeOver(): Promise<void> {
    const { store, active, settings, clock } = this.#parts;
    const tried = new Set<string>();
    while (this.#mayGoOn) {
      const refs = await inTime(clock, store.orphans(DEFAULT_AGENT, Math.min(BATCH, active.room)), settings.leaseMs);
      const fresh = refs.filter((ref) => !tried.has(refKey(ref)));
      if (fresh.length === 0) return;
      const batch: Batch = { left: inOrderOf(settings.node, fresh), lost: 0, tried };
      await Promise.all(Array.from({ length: CLAIMS }, () => this.#claim(batch)));
    }
  }

  get #mayGoOn(): boolean {
    const { active, lease } = this.#parts;
    return !this.#stopped && lease.mayTakeOver && active.room > 0;
  }

  /** Claims one task after another. When other nodes were faster too often, stops so that a new query shows which tasks are left. */
  async #claim(batch: Batch): Promise<void> {
    const { active, settings, clock } = this.#parts;
    while (this.#mayGoOn && batch.lost < CLAIMS) {
      const ref = batch.left.pop();
      if (ref === undefined) return;
      batch.tried.add(refKey(ref));
      if (!(await inTime(clock, active.takeOver(ref), settings.leaseMs))) batch.lost += 1;
    }
  }

  readonly #expire = async (): Promise<void> => {
    const { settings, store, active } = this.#parts;
    const { inputTimeoutMs, clock } = settings;
    if (inputTimeoutMs === undefined) return;
    const before = clock.now() - inputTimeoutMs;
    for (const ref of await store.waitingSince(DEFAULT_AGENT, before, BATCH)) await active.expire(ref, before);
  };

  readonly #sweep = async (): Promise<void> => {
    const { settings, store, clock } = this.#parts;
    const agoMs = clock.own() - this.#sweptAt;
    if (agoMs >= 0 && agoMs < SWEEP_EVERY_MS) return; // the clock may have been set back
    this.#sweptAt = clock.own();
    const policy = retentionOf(settings);
    const now = clock.now();
    while (!this.#stopped && (await store.sweep(policy, now)) >= policy.batch) await new Promise<void>((next) => clock.soon(next));
  };
}

function retentionOf({ deleteFinalAfterMs, store }: Settings): Retention {
  const replayMs = (store.replayHours ?? Number.POSITIVE_INFINITY) * 3_600_000;
  return { agent: DEFAULT_AGENT, replayMs, batch: BATCH, ...(deleteFinalAfterMs !== undefined && { deleteFinalAfterMs }) };
}

/** Per-node pseudo-random order of tasks, so that nodes do not race for the same orphan. */
export function inOrderOf(node: string, refs: readonly TaskRef[]): TaskRef[] {
  return refs
    .map((ref) => ({ ref, rank: hash(node + refKey(ref)) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ ref }) => ref);
}

/** FNV-1a, then the finalizer of MurmurHash3: without it, the last characters hardly affect the high bits, which determine the order. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
