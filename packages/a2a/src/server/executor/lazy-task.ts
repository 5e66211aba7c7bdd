import { type TaskText, toArray } from '../../protocol/task-text.js';
import type { Task } from '../../protocol/types.js';

/** A task whose history and artifacts are parsed when they are read for the first time: most turns read neither, and they may be long. */
export function lazyTask({ head, history, artifacts }: TaskText): Task {
  const task: Task = JSON.parse(head);
  if (artifacts !== '') defineLazily(task, 'artifacts', artifacts);
  if (history !== '') defineLazily(task, 'history', history);
  return task;
}

/** Enumerable and writable like a plain member, so that copies, JSON and changes by the executor work. */
function defineLazily(task: Task, name: 'artifacts' | 'history', lines: string): void {
  let parsed: { readonly value: unknown } | undefined;
  const define = (value: unknown): void => {
    Object.defineProperty(task, name, { value, enumerable: true, configurable: true, writable: true });
  };
  const read = (): unknown => {
    parsed ??= { value: JSON.parse(toArray(lines)) };
    // The accessor of a frozen or sealed task cannot be replaced, so that it is called for each read.
    if (Object.getOwnPropertyDescriptor(task, name)?.configurable) define(parsed.value);
    return parsed.value;
  };
  Object.defineProperty(task, name, { get: read, set: define, enumerable: true, configurable: true });
}
