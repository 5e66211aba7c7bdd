import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyEvent, createDraft, type TaskDraft } from '../../protocol/apply-event.js';
import type { Part, Task, TaskArtifactUpdateEvent } from '../../protocol/types.js';
import { LongArtifacts } from './long-artifacts.js';

const IDS = { taskId: 't', contextId: 'c' };
const LONG = 'long'.repeat(300_000);
const texts = fc.constantFrom(
  LONG,
  'é'.repeat(600_000),
  `${LONG}\u0000text\u0000`,
  'short',
  '',
  '"\n',
  '\ud83d',
  '\ude00',
  `${LONG}\ud83d`,
  `\ude00${LONG}`,
);
const parts = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.array(
      texts.map((text): Part => ({ text })),
      { minLength: 1, maxLength: 2 },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Part[]>(
      [{ data: { a: 1 } }],
      [{ text: LONG, mediaType: 'text/html' }],
      [{ text: 'x' }, { url: 'https://a.test/' }],
    ),
  },
);
const update = fc.record({
  id: fc.constantFrom('a', 'b', '"\\u0000text\\u0000"'),
  parts,
  append: fc.constantFrom(true, true, true, false),
  metadata: fc.option(fc.constant({ hint: '\u0000text\u0000' }), { nil: undefined }),
});

function newDraft(): TaskDraft {
  const task: Task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } };
  return createDraft(task);
}

test('F63: whatever the chunks are, a long artifact is serialized as JSON.stringify does it', () => {
  fc.assert(
    fc.property(fc.array(update, { maxLength: 8 }), (updates) => {
      const draft = newDraft();
      const long = new LongArtifacts();
      for (const { id, parts: added, append, metadata } of updates) {
        const isKnown = draft.artifacts.some(({ artifactId }) => artifactId === id);
        const artifact = { artifactId: id, parts: added, ...(metadata && { metadata }) };
        const event: TaskArtifactUpdateEvent = { ...IDS, artifact, append: append && isKnown };
        applyEvent(draft, { kind: 'artifact', update: event });
        long.follow(event);
      }
      for (const artifact of draft.artifacts) {
        const json = long.serialize(artifact);
        if (json !== undefined && json !== JSON.stringify(artifact)) throw new Error(`differs: ${artifact.artifactId}`);
      }
    }),
    { numRuns: 200 },
  );
});

test('F63: a text of large chunks is serialized from them, also after short chunks and half characters', () => {
  const long = new LongArtifacts();
  const draft = newDraft();
  const chunks = [LONG, 'short', '"\n\u0000', '\ud83d', '\ude00', LONG];
  for (const [index, text] of chunks.entries()) {
    const event = { ...IDS, artifact: { artifactId: 'a', name: '"text":""', parts: [{ text }] }, append: index > 0 };
    applyEvent(draft, { kind: 'artifact', update: event });
    long.follow(event);
  }
  const [artifact] = draft.artifacts;
  expect(artifact && long.serialize(artifact) === JSON.stringify(artifact)).toBe(true);
});

test('F63: a text that began before the chunks are known is serialized as a whole', () => {
  const long = new LongArtifacts();
  const draft = newDraft();
  applyEvent(draft, { kind: 'artifact', update: { ...IDS, artifact: { artifactId: 'a', parts: [{ text: LONG }] } } });
  const more: TaskArtifactUpdateEvent = { ...IDS, artifact: { artifactId: 'a', parts: [{ text: LONG }] }, append: true };
  applyEvent(draft, { kind: 'artifact', update: more });
  long.follow(more);
  expect(draft.artifacts.map((artifact) => long.serialize(artifact))).toEqual([undefined]);
});
