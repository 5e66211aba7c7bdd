/** Values that the test run provides (scripts/databases/for-tests.mjs). */
declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string;
    redisUrl: string;
  }
}

let schemas = 0;

/** A schema that no other test uses. */
export function newSchema(): string {
  schemas += 1;
  return `t_${process.pid}_${Date.now().toString(36)}_${schemas}`;
}
