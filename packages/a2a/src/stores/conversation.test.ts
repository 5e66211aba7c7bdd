import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEvent, createDraft, type TaskEvent } from '../protocol/apply-event.js';
import { toTaskText } from '../protocol/task-text.js';
import type { Message, Part } from '../protocol/types.js';
import { newestMessages } from './conversation.js';
import type { Entry } from './store.js';

const parts: readonly Part[] = [{ text: 'a "message": with\nlines' }];
const said = (messageId: string): Message => ({ messageId, role: 'ROLE_AGENT', parts });

/** The kinds of log entries that a task may get. */
const happenings = fc.array(fc.constantFrom('input', 'status with message', 'status', 'artifact', 'note'), { maxLength: 12 });

function toEvent(kind: string, seq: number): TaskEvent | undefined {
  const about = { taskId: 't', contextId: 'c' };
  const message = said(`m${seq}`);
  if (kind === 'input') return { kind: 'input', message };
  if (kind === 'artifact') return { kind: 'artifact', update: { ...about, artifact: { artifactId: `a${seq}`, parts: [...parts] } } };
  if (kind === 'note') return undefined;
  const status = { state: 'TASK_STATE_WORKING' as const, ...(kind === 'status with message' && { message }) };
  return { kind: 'status', update: { ...about, status } };
}

function toEntry(event: TaskEvent | undefined, seq: number): Entry {
  if (event === undefined) return { seq, at: seq, generation: 0, kind: 'note', json: '{"note":{"kind":"attempt"}}' };
  if (event.kind === 'input') {
    return {
      seq,
      at: seq,
      generation: 0,
      kind: 'input',
      json: JSON.stringify({ input: { as: 'turn', request: { message: event.message, requestId: 'r' } } }),
    };
  }
  const json = event.kind === 'status' ? { statusUpdate: event.update } : { artifactUpdate: event.kind === 'artifact' ? event.update : {} };
  return { seq, at: seq, generation: seq, kind: event.kind, json: JSON.stringify(json) };
}

describe('D22: the messages of one task', () => {
  test('D22: for any position of the snapshot, they are the folded history and the current status message', () => {
    fc.assert(
      fc.property(happenings, fc.nat(12), fc.nat(16), (kinds, snapshotSeq, limit) => {
        const draft = createDraft({ id: 't', contextId: 'c', status: { state: 'TASK_STATE_SUBMITTED' }, history: [said('m0')] });
        let snapshot = { seq: 0, text: toTaskText(draft) };
        const tail: Entry[] = [];
        for (const [index, kind] of kinds.entries()) {
          const event = toEvent(kind, index + 1);
          if (event !== undefined) applyEvent(draft, event);
          tail.push(toEntry(event, index + 1));
          if (index + 1 === snapshotSeq) {
            snapshot = { seq: snapshotSeq, text: toTaskText(draft) };
            tail.length = 0;
          }
        }
        const all = [...draft.history, ...(draft.status.message ? [draft.status.message] : [])].map((message) => JSON.stringify(message));
        expect([...newestMessages({ snapshot, tail }, limit)].reverse()).toEqual(limit === 0 ? [] : all.slice(-limit));
      }),
    );
  });
});
