import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEvent, createDraft, type TaskDraft } from '../src/protocol/apply-event.js';
import { createAgent } from '../src/server/index.js';
import { callerOf } from './harness.js';

const ABOUT = { taskId: 't', contextId: 'c' };
const newDraft = (): TaskDraft => createDraft({ id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } });

const addTo = (draft: TaskDraft, artifactId: string, text: string, append = false): void =>
  applyEvent(draft, { kind: 'artifact', update: { ...ABOUT, artifact: { artifactId, parts: [{ text }] }, ...(append && { append }) } });

/** Counts the reads of artifact ids. */
function counted(draft: TaskDraft): { readonly looks: number } {
  const count = { looks: 0 };
  const { push } = draft.artifacts;
  draft.artifacts.push = (...added) => {
    for (const artifact of added) {
      const { artifactId } = artifact;
      Object.defineProperty(artifact, 'artifactId', {
        enumerable: true,
        get() {
          count.looks += 1;
          return artifactId;
        },
      });
    }
    return push.apply(draft.artifacts, added);
  };
  return count;
}

describe('D8: a task of many artifacts', () => {
  test('D8: the five thousandth artifact costs no more reads than the hundredth', () => {
    const draft = newDraft();
    const count = counted(draft);
    const costs: number[] = [];
    for (let n = 0; n < 5_000; n += 1) {
      const before = count.looks;
      addTo(draft, `row-${n}`, 'x');
      addTo(draft, `row-${n >> 1}`, 'y', true);
      costs.push(count.looks - before);
    }
    const worst = (from: number): number => Math.max(...costs.slice(from, from + 500));
    expect(worst(4_500)).toBeLessThanOrEqual(worst(100));
    expect(worst(4_500)).toBeLessThan(10);
  });

  test('D8: an agent may publish 5,000 artifacts, and all are stored', async () => {
    const agent = createAgent({
      name: 'Collector',
      executor: {
        async execute(_context, events) {
          for (let n = 0; n < 5_000; n += 1) await events.artifact({ artifactId: `row-${n}`, parts: [{ text: String(n) }] });
          await events.appendText('row-2500', '!');
          await events.complete();
        },
      },
    });
    const { artifacts = [] } = await callerOf(agent).task('go');
    expect(artifacts).toHaveLength(5_000);
    expect(artifacts.every(({ artifactId }, n) => artifactId === `row-${n}`)).toBe(true);
    expect(artifacts[2_500]?.parts.map(({ text }) => text)).toEqual(['2500!']);
  });

  test('D8: for any order of adding, appending and replacing, the right artifact is found', () => {
    const step = fc.record({ id: fc.integer({ min: 0, max: 60 }), append: fc.boolean(), text: fc.string({ maxLength: 3 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), fc.integer({ min: 0, max: 300 }), (steps, resetAt) => {
        let draft = newDraft();
        const expected = new Map<string, string>();
        for (const [index, { id, append, text }] of steps.entries()) {
          const name = `a${id}`;
          const known = expected.get(name);
          const appends = append && known !== undefined;
          addTo(draft, name, text, appends);
          expected.set(name, appends ? known + text : text);
          // A draft that is rebuilt, as from a snapshot, finds them as well.
          if (index === resetAt) draft = createDraft({ ...draft, contextId: 'c' });
        }
        const found = draft.artifacts.map(({ artifactId, parts }) => [artifactId, parts.map(({ text }) => text).join('')]);
        expect(found).toEqual([...expected]);
      }),
    );
  });

  test('D8: for an id that a foreign Task has twice, the last artifact is used, among few and among many', () => {
    for (const others of [0, 40]) {
      const artifacts = ['twice', 'twice', ...Array.from({ length: others }, (_, n) => `o${n}`)];
      const draft = createDraft({
        id: 't',
        contextId: 'c',
        status: { state: 'TASK_STATE_WORKING' },
        artifacts: artifacts.map((artifactId) => ({ artifactId, parts: [{ text: 'x' }] })),
      });
      for (let n = 0; n < 3; n += 1) addTo(draft, 'twice', 'y', true);
      for (let n = 0; n < 3; n += 1) addTo(draft, `new${n}`, 'z');
      expect(draft.artifacts.slice(0, 2).map(({ parts }) => parts)).toEqual([[{ text: 'x' }], [{ text: 'xyyy' }]]);
      expect(draft.artifacts.slice(-3).map(({ artifactId }) => artifactId)).toEqual(['new0', 'new1', 'new2']);
    }
  });
});
