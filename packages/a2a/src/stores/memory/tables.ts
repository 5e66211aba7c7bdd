/** All data of the memory store, one field for each table of a database. */
import type { Clock } from '../../protocol/clock.js';
import { Finals, type ReplayLimits } from './finals.js';
import { InterruptedTasks } from './interrupted-tasks.js';
import { Nodes } from './nodes.js';
import { Ownership } from './ownership.js';
import { Requests } from './requests.js';
import { TaskIndex } from './task-index.js';

export interface TableOptions extends ReplayLimits {
  readonly clock: Clock;
  readonly maxTasks: number;
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
  /** The number of tasks created so far. */
  births: number;
}

export function createTables({ clock, maxTasks, ...replay }: TableOptions): Tables {
  return {
    clock,
    maxTasks,
    tasks: new TaskIndex(),
    finals: new Finals(replay),
    nodes: new Nodes(),
    ownership: new Ownership(),
    requests: new Requests(),
    waiting: new InterruptedTasks(),
    births: 0,
  };
}
