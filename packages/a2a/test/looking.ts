/** Helpers with which tests inspect what an agent did. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type A2AError, isA2AError } from '../src/protocol/errors.js';
import type { Agent } from '../src/server/agent.js';
import type { InboxRow, StoredEntry, TaskRef, TaskStore } from '../src/stores/store.js';

/** The number of hashes that are being computed. */
let hashes = 0;
const digest = crypto.subtle.digest.bind(crypto.subtle);
crypto.subtle.digest = (algorithm, data) => {
  hashes += 1;
  return digest(algorithm, data).finally(() => {
    hashes -= 1;
  });
};

/** A task of the anonymous caller, unless `scope` says otherwise. */
export function refOf(id: string, scope: Partial<TaskRef> = {}): TaskRef {
  return { agent: '', tenant: '', owner: '', ...scope, id };
}

/** The whole log of a task, as its store has it. */
export async function logOf(store: TaskStore, ref: TaskRef): Promise<readonly StoredEntry[]> {
  const entries = await store.readAfter(ref, 0, Number.POSITIVE_INFINITY);
  if (typeof entries === 'string') throw new Error(`the log of ${ref.id} is ${entries}`);
  return entries;
}

/** The log in short form: `input:turn`, `task:SUBMITTED`, `status:WORKING`, `artifact`, `note:turn-ended`. */
export async function storyOf(store: TaskStore, ref: TaskRef): Promise<readonly string[]> {
  return (await logOf(store, ref)).map(({ kind, json }) => {
    const { input, note, task, statusUpdate } = JSON.parse(json);
    const detail = input?.as ?? note?.kind ?? (task ?? statusUpdate)?.status.state.replace('TASK_STATE_', '');
    return detail === undefined ? kind : `${kind}:${detail}`;
  });
}

export function inboxOf(store: TaskStore, ref: TaskRef): Promise<readonly InboxRow[]> {
  return store.inbox(ref, 0);
}

/** The A2AError of a refused call. Fails if the call succeeds or rejects with another error. */
export async function refusal(call: Promise<unknown>): Promise<A2AError> {
  const outcome = await call.then(
    (answer) => new Error(`not refused: ${JSON.stringify(answer)}`),
    (error: unknown) => error,
  );
  if (!isA2AError(outcome)) throw outcome;
  return outcome;
}

/** All that a caller gets of an error, as one text. */
export function told({ reason, code, httpStatus, status, message, details }: A2AError): string {
  return JSON.stringify({ reason, code, httpStatus, status, message, details });
}

/** Tracks a promise without waiting for it. */
export function follow<T>(promise: Promise<T>): { readonly isSettled: boolean; readonly outcome: Promise<T> } {
  let isSettled = false;
  const settle = (): void => {
    isSettled = true;
  };
  promise.then(settle, settle);
  return {
    get isSettled() {
      return isSettled;
    },
    outcome: promise,
  };
}

/** Resolves when the agent runs no task. */
export async function untilIdle(agent: Agent): Promise<void> {
  while (agent.tasks.running.length > 0) await nextTurn();
}

/** Resolves when the condition is true. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await nextTurn();
}

/** Waits a few event loop iterations with their microtasks, so that all work that needs no timer is done. */
export async function quiet(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
}

/** Sends with a key are hashed in the thread pool, whose threads a busy machine may delay. Waits for all hashes, then as `quiet` does. */
export async function hashed(): Promise<void> {
  do await nextTurn();
  while (hashes > 0);
  await quiet();
}
