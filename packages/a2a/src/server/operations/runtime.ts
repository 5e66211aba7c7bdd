/** The parts of the runtime that operations use. */

import type { MethodName } from '../../protocol/methods.js';
import type { AgentCard } from '../../protocol/types.js';
import type { Call, Reply } from '../call.js';
import type { MailPlaces } from '../limits/mail-places.js';
import type { TaskLog } from '../log/task-log.js';
import type { Lease } from '../node/lease.js';
import type { Settings } from '../options.js';
import type { ActiveTasks } from '../run/active-tasks.js';
import type { LateTimers } from '../run/late-timers.js';
import type { OpenCalls } from './open-calls.js';
import type { Requests } from './requests.js';

export interface Runtime {
  readonly settings: Settings;
  readonly log: TaskLog;
  readonly active: ActiveTasks;
  readonly lease: Lease;
  readonly timers: LateTimers;
  readonly requests: Requests;
  readonly mail: MailPlaces;
  readonly calls: OpenCalls;
  /** The active capabilities, modes and skills. Its interfaces are placeholders, not those of a host. */
  readonly card: AgentCard;
}

/** The result of an operation; the active extensions are added where it is called. */
export type Result =
  | { readonly kind: 'value'; readonly json: string; readonly pieces?: readonly string[] }
  | Pick<Extract<Reply, { kind: 'stream' }>, 'kind' | 'open'>;

export type Operation<M extends MethodName> = (runtime: Runtime, call: Call<M>) => Promise<Result>;

export const value = (json: string): Result => ({ kind: 'value', json });
