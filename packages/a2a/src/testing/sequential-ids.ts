import type { IdGenerators } from '../platform/random-ids.js';

/** Predictable ids for tests: `task-1`, `context-1`, `message-1`. Each kind has its own counter; all have the prefix. */
export function sequentialIds(prefix = ''): IdGenerators {
  const counter = (name: string): (() => string) => {
    let count = 0;
    return () => {
      count += 1;
      return `${prefix}${name}-${count}`;
    };
  };
  return { taskId: counter('task'), contextId: counter('context'), messageId: counter('message') };
}
