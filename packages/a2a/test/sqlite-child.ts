/**
 * A process that uses a SQLite file until it is killed. `node child.mjs hold|write FILE NAME`; each printed line is a result that the store
 * confirmed.
 */
import { writeSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isA2AError } from '../src/protocol/errors.js';
import { sqlite } from '../src/stores/sqlite/index.js';
import type { TaskStore } from '../src/stores/store.js';
import { steps } from './sqlite-steps.js';

const [, , mode = '', file = '', name = ''] = process.argv;

function print(fact: unknown): void {
  writeSync(1, `${JSON.stringify(fact)}\n`);
}

function open(): TaskStore | undefined {
  try {
    return sqlite(file);
  } catch (error) {
    print(isA2AError(error) ? { reason: error.reason, message: error.message } : { message: String(error) });
    return undefined;
  }
}

const store = open();
if (store !== undefined) {
  print({ pid: process.pid });
  if (mode === 'hold') setInterval(() => {}, 1_000);
  else {
    for (const step of steps(name)) {
      print(await step(store));
      await nextTurn();
    }
  }
}
