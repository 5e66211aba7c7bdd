import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { newSchema } from '../../../test/databases/provided.js';
import {
  appended,
  commitAll,
  commitOne,
  creation,
  entered,
  entry,
  kinds,
  readAll,
  ref,
  snapshot,
} from '../../testing/store-contract/samples.js';
import type { ClaimedTask, Entry, TaskStore, TaskWrite } from '../store.js';
import { postgresStore } from './index.js';

const url = inject('postgresUrl');

describe('D12: a gathered commit', () => {
  let schema: string;
  let store: TaskStore;

  beforeEach(() => {
    schema = newSchema();
    store = postgresStore(url, { schema });
  });
  afterEach(() => store.close());

  test('D12: a write that PostgreSQL cannot store does not undo the other writes', async () => {
    const [good, bad] = [ref('good'), ref('bad')];
    await commitAll(store, creation(good), creation(bad));
    const withText = (json: string): TaskWrite => appended(bad, 3, 0, { entries: [entry(3, 'artifact', json)] });
    const broken: TaskWrite[] = [
      withText('{"nul":"\0"}'),
      withText('{"separator":"\u001e"}'),
      withText('{"line":"\n"}'),
      { ...withText('{}'), epoch: 1.5 },
      { ...withText('{}'), firstSeq: Number.NaN },
      { ...entered(bad, 3), head: { contextId: 'context', state: 'NO_STATE' as never, statusAt: 1, statusSeq: 3 } },
      { ...entered(bad, 3), head: { contextId: 'context', state: 'TASK_STATE_WORKING', statusAt: 1, statusSeq: 1e300 } },
      { ...entered(bad, 3), snapshot: snapshot('bad', { history: ['\0'] }, 1) },
      { ...entered(bad, 3), take: [{ n: 2 ** 70, seq: 3 }] },
      creation(ref(noise(4_000))), // longer than an index can hold
    ];
    for (const [index, write] of broken.entries()) {
      const answers = await kinds(store.commit([appended(good, 3 + index), write, creation(ref(`neighbour-${index}`))]));
      expect(answers[1], `write ${index}`).toMatch(/failed|fenced/);
      expect([answers[0], answers[2]]).toEqual(['ok', 'ok']);
    }
    expect((await store.load(bad))?.seq).toBe(2);
    expect((await store.load(good))?.seq).toBe(2 + broken.length);
  });

  test('P53: every text comes back unchanged, whatever characters JSON allows', async () => {
    const said = JSON.stringify({ text: '\0 \u0001 \u001e \ud800 \n \u2028 ä 😀 "quoted" \\ {} ,' });
    const task = ref('a');
    await commitAll(store, {
      ...creation(task),
      entries: [entry(1, 'input', said)],
      snapshot: { ...snapshot('a', { history: [said], artifacts: [said] }), head: said },
    });
    await store.post(task, 'message', said);
    expect((await store.load(task))?.snapshot.text).toEqual({ head: said, history: said, artifacts: said });
    expect((await readAll(store, task))[0]?.json).toBe(said);
    expect((await store.inbox(task, 0))[0]?.json).toBe(said);
    expect(((await store.claim(task, 'node-2')) as ClaimedTask).inbox[0]?.json).toBe(said);
  });

  test('D12: with an old and a new owner, each acknowledged entry is in the log exactly once', async () => {
    const others = [store, postgresStore(url, { schema, connections: 4 })];
    const tasks = Array.from({ length: 6 }, (_, n) => ref(`task-${n}`));
    await commitAll(store, ...tasks.map((task) => creation(task)));
    const acknowledged = new Map(tasks.map(({ id }) => [id, [...creation(ref(id)).entries]]));
    // Owners write without a pause while other nodes claim their tasks. Each owner continues from the end of the log at its claim.
    const own = async (owner: TaskStore, task: ReturnType<typeof ref>, node: string): Promise<void> => {
      for (let rounds = 0; rounds < 8; rounds += 1) {
        const claim = await owner.claim(task, node);
        if (typeof claim === 'string') throw new Error(`claim answered ${claim}`);
        const log = acknowledged.get(task.id) ?? [];
        expect(claim.seq).toBeGreaterThanOrEqual(log.length);
        for (let seq = claim.seq + 1; ; seq += 1) {
          const json = JSON.stringify({ by: `${node} ${claim.epoch}`, seq });
          const written: Entry = entry(seq, 'artifact', json);
          const answer = await commitOne(owner, { ref: task, epoch: claim.epoch, firstSeq: seq, entries: [written] });
          if (answer.kind !== 'ok') {
            expect(answer.kind).toBe('fenced');
            break;
          }
          log[seq - 1] = written;
          if (Math.random() < 0.2) break;
        }
      }
    };
    await Promise.all(tasks.flatMap((task) => ['x', 'y', 'z'].map((node, n) => own(others[n % 2] ?? store, task, node))));
    for (const task of tasks) expect(await readAll(store, task)).toEqual(acknowledged.get(task.id));
    await others[1]?.close();
  });

  test('D12: concurrent commits to many tasks in any order all succeed in the end', async () => {
    const tasks = Array.from({ length: 20 }, (_, n) => ref(`task-${n}`));
    await commitAll(store, ...tasks.map((task) => creation(task)));
    const some = () => tasks.filter(() => Math.random() < 0.7).sort(() => Math.random() - 0.5);
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        store.commit(some().map((task) => (n % 3 === 0 ? appended(task, 3) : { ...entered(task, 3, { state: 'TASK_STATE_WORKING' }) }))),
      ),
    );
    expect(new Set(answers.flat().map(({ kind }) => kind))).toEqual(new Set(['ok', 'failed']));
    for (const task of tasks) expect((await store.load(task))?.seq).toBeLessThanOrEqual(3);
    expect(answers.flat().filter(({ kind }) => kind === 'ok').length).toBeLessThanOrEqual(20);
  });
});

/** Text that cannot be compressed. */
function noise(length: number): string {
  return Array.from({ length }, () => String.fromCharCode(97 + Math.floor(Math.random() * 26))).join('');
}
