import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tempFiles } from '../../../test/temp-folder.js';
import { fromColumn, SEPARATOR, toColumn } from '../sql/name.js';
import { sqlite } from './index.js';

const newFile = tempFiles();

/** Names that SQLite or its driver would cut short or make one of. */
const STRANGE = ['a\0b', 'a\0c', 'a', 'x\ud800', 'x\ud801', 'x\ufffd', '\u0001', '\u0001"a"', 'a\u001eb', '\u001e', '😀', '\ud83d', ''];

describe('P47: names are kept apart, whatever is in them', () => {
  test('P47: every name comes back, well-formed and without NUL in between', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(...STRANGE), (some, strange) => {
        for (const name of [some, strange, some + strange, strange + some]) {
          const column = toColumn(name);
          expect(fromColumn(column)).toBe(name);
          expect(column.includes('\0') || column.includes(SEPARATOR) || /\p{Surrogate}/u.test(column)).toBe(false);
        }
      }),
    );
    expect(new Set(STRANGE.map(toColumn)).size).toBe(STRANGE.length);
    expect(toColumn('ä/owner 1')).toBe('ä/owner 1');
  });

  test('P47: strange tenants, owners, ids, contexts and keys do not meet in the file', async () => {
    const store = sqlite(newFile());
    await store.commit(
      STRANGE.map((name) => ({
        ref: { tenant: name, owner: name, id: name },
        epoch: 1,
        firstSeq: 1,
        entries: [{ seq: 1, kind: 'task', at: 1, json: '{}' }],
        create: { node: name },
        head: { contextId: name, state: 'TASK_STATE_WORKING', statusAt: 1, statusSeq: 1 },
        snapshot: { head: '{}', history: JSON.stringify({ said: name }), artifacts: '' },
      })),
    );
    for (const name of STRANGE) {
      const ref = { tenant: name, owner: name, id: name };
      expect(await store.load(ref)).toMatchObject({ ref, node: name, head: { contextId: name } });
      const { tasks, total } = await store.list({ tenant: name, owner: name, contextId: name, limit: 9, count: true });
      expect([tasks.map((task) => task.ref), total]).toEqual([[ref], 1]);
      expect(await store.conversation({ tenant: name, owner: name, contextId: name }, 9)).toEqual([JSON.stringify({ said: name })]);
      expect(await store.beginRequest({ tenant: name, owner: name, key: name }, 'hash', name)).toEqual({ kind: 'new', attempt: 1 });
    }
    expect(new Set((await store.orphans(99)).map(({ id }) => id))).toEqual(new Set(STRANGE));
    await store.close();
  });
});
