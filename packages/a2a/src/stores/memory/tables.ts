/** All data of the memory store, one field for each table of a database. */
import type { Clock } from '../../protocol/clock.js';
import { Finals, type ReplayLimits } from './finals.js';
import { InterruptedTasks } from './interrupted-tasks.js';
import { Nodes } from './nodes.js';
import { Ownership } from './ownership.js';
import { Requests } from './requests.js';
import { TaskIndex } from './task-index.js';
import { Usage } from './usage.js';

export interface TableOptions extends ReplayLimits {
  readonly clock: Clock;
  readonly maxTasks: number;
  readonly maxBytes: number;
  readonly maxBytesPerOwner: number;
}

export interface Tables {
  readonly clock: Clock;
  readonly maxTasks: number;
  readonly tasks: TaskIndex;
  readonly finals: Finals;
  readonly nodes: Nodes;
  readonly ownership: Ownership;
  readonly requests: Requests;
  readonly waiting: InterruptedTasks;
  readonly usage: Usage;
  /** The number of tasks created so far. */
  births: number;
}

export function createTables({ clock, maxTasks, maxBytes, maxBytesPerOwner, ...replay }: TableOptions): Tables {
  const usage = new Usage({ maxBytes, maxBytesPerOwner });
  return {
    clock,
    maxTasks,
    tasks: new TaskIndex(),
    finals: new Finals(replay, usage),
    nodes: new Nodes(),
    ownership: new Ownership(),
    requests: new Requests(usage),
    waiting: new InterruptedTasks(),
    usage,
    births: 0,
  };
}
