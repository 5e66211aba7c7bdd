/** The parts of the runtime that operations use, and their results. */

import type { LateTimers } from '../../platform/late-timers.js';
import type { MethodName } from '../../protocol/methods.js';
import { type TaskJsonOptions, type TaskText, taskJson, taskPieces } from '../../protocol/task-text.js';
import type { AgentCard } from '../../protocol/types.js';
import type { Call, Reply } from '../call.js';
import type { ShareCounter } from '../limits/share-counter.js';
import type { TaskLog } from '../log/task-log.js';
import type { Lease } from '../node/lease.js';
import type { Settings } from '../options.js';
import type { ActiveTasks } from '../run/active-tasks.js';
import type { MailPlaces } from './mail-places.js';
import type { Requests } from './requests.js';

export interface Runtime {
  readonly settings: Settings;
  readonly log: TaskLog;
  readonly active: ActiveTasks;
  readonly lease: Lease;
  readonly timers: LateTimers;
  readonly requests: Requests;
  readonly mail: MailPlaces;
  /** The calls that wait for an answer: each holds its request and its connection. */
  readonly calls: ShareCounter;
  /** The active capabilities, modes and skills. Its interfaces are placeholders, not those of a host. */
  readonly card: AgentCard;
}

/** The result of an operation; the active extensions are added where it is called. */
export type Result =
  | { readonly kind: 'value'; readonly json: string; readonly pieces?: readonly string[] }
  | Pick<Extract<Reply, { kind: 'stream' }>, 'kind' | 'open'>;

export type Operation<M extends MethodName> = (runtime: Runtime, call: Call<M>) => Promise<Result>;

export const value = (json: string): Result => ({ kind: 'value', json });

/** A longer Task is sent in pieces: as one text it would be copied as a whole. */
const LONG_CHARS = 1024 * 1024;

export interface TaskReply {
  readonly text: TaskText;
  readonly options: TaskJsonOptions;
  /** About the length of the JSON. */
  readonly chars: number;
  /** The name of the member that contains the Task. Default: the Task is the whole result. */
  readonly member?: string;
}

/** The JSON of a Task as the result of an operation. */
export function taskValue({ text, options, chars, member }: TaskReply): Result {
  const [open, close] = member === undefined ? ['', ''] : [`{"${member}":`, '}'];
  if (chars <= LONG_CHARS) return value(`${open}${taskJson(text, options)}${close}`);
  const pieces = [open, ...taskPieces(text, options), close].filter((piece) => piece !== '');
  let json = '';
  for (const piece of pieces) json += piece; // copied only if it is read
  return { kind: 'value', json, pieces };
}
