import type { IdGenerators } from '../platform/random-ids.js';

/** Ids that tests can foretell: `task-1`, `context-1`, `message-1`, each counted by itself, all with the prefix. */
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
