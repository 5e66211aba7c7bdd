import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEvent, createDraft, type TaskDraft } from '../src/protocol/apply-event.js';
import type { Artifact, JsonObject, Message, Task, TaskState } from '../src/protocol/types.js';
import { createAgent, memoryStore } from '../src/server/index.js';
import { callerOf, type Seen } from './harness.js';

type Step =
  | { readonly kind: 'status'; readonly text: string | undefined; readonly metadata: JsonObject | undefined }
  | {
      readonly kind: 'artifact';
      readonly id: string;
      readonly text: string;
      readonly append: boolean;
      readonly metadata: JsonObject | undefined;
    };

const members = fc
  .dictionary(fc.constantFrom('a', 'b', '__proto__', 'constructor'), fc.jsonValue({ maxDepth: 1 }))
  .map((object) => JSON.parse(JSON.stringify(object)) as JsonObject); // JSON has no -0
const metadata = fc.option(members, { nil: undefined });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('status' as const), text: fc.option(fc.string(), { nil: undefined }), metadata }),
  fc.record({ kind: fc.constant('artifact' as const), id: fc.constantFrom('x', 'y'), text: fc.string(), append: fc.boolean(), metadata }),
);

/** A plain model of the rules: it copies everything and optimizes nothing. */
interface Model {
  readonly said: readonly string[];
  readonly current: string | undefined;
  readonly metadata: ReadonlyMap<string, unknown> | undefined;
  readonly artifacts: ReadonlyMap<string, { readonly text: string; readonly metadata: ReadonlyMap<string, unknown> | undefined }>;
}

const mixed = (known: Model['metadata'], more: JsonObject | undefined): Model['metadata'] =>
  more === undefined ? known : new Map([...(known ?? []), ...Object.entries(more)]);

function next(model: Model, event: Step): Model {
  if (event.kind === 'status') {
    const said = model.current === undefined ? model.said : [...model.said, model.current];
    return { ...model, said, current: event.text, metadata: mixed(model.metadata, event.metadata) };
  }
  const known = model.artifacts.get(event.id);
  const artifact =
    event.append && known
      ? { text: known.text + event.text, metadata: mixed(known.metadata, event.metadata) }
      : { text: event.text, metadata: mixed(undefined, event.metadata) };
  return { ...model, artifacts: new Map([...model.artifacts, [event.id, artifact]]) };
}

const membersOf = (object: JsonObject | undefined): Model['metadata'] => object && new Map(Object.entries(object));

function toModel({ history, status, metadata: known, artifacts }: Task): Model {
  const texts = (message: Message | undefined) => message?.parts[0]?.text;
  return {
    said: (history ?? []).flatMap((message) => texts(message) ?? []),
    current: texts(status.message),
    metadata: membersOf(known),
    artifacts: new Map(
      (artifacts ?? []).map(({ artifactId, parts, metadata: own }) => [
        artifactId,
        { text: parts.map(({ text }) => text ?? '|').join('|'), metadata: membersOf(own) },
      ]),
    ),
  };
}

/** The task of a client that has folded a stream. */
function folded([first, ...rest]: readonly Seen[]): TaskDraft | undefined {
  if (first?.task === undefined) return undefined;
  const draft = createDraft(first.task);
  for (const { statusUpdate, artifactUpdate } of rest) {
    if (statusUpdate) applyEvent(draft, { kind: 'status', update: statusUpdate });
    if (artifactUpdate) applyEvent(draft, { kind: 'artifact', update: artifactUpdate });
  }
  return draft;
}

describe('P24, P25: the effect of events on a task', () => {
  test('P24, P25: for any sequence of events, GetTask, a reader that folds the stream, and the plain model agree', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const known = new Set<string>();
        const legal = steps.map((event) => {
          if (event.kind === 'status') return event;
          const append = event.append && known.has(event.id);
          known.add(event.id);
          return { ...event, append };
        });
        const agent = createAgent({
          name: 'Scribe',
          store: memoryStore(),
          executor: {
            async execute({ taskId, contextId }, events) {
              await events.task();
              for (const event of legal) {
                const about = { taskId, contextId, ...(event.metadata && { metadata: event.metadata }) };
                if (event.kind === 'status') {
                  const message: Message = { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: event.text ?? '' }] };
                  const status = { state: 'TASK_STATE_WORKING' as TaskState, ...(event.text !== undefined && { message }) };
                  void events.publish({ ...about, status });
                } else {
                  const artifact: Artifact = {
                    artifactId: event.id,
                    parts: [{ text: event.text }],
                    ...(event.metadata && { metadata: event.metadata }),
                  };
                  void events.publish({ taskId, contextId, artifact, append: event.append });
                }
              }
              await events.complete();
            },
          },
        });
        const caller = callerOf(agent);
        const reader = await caller.stream('go');
        const seen = await reader.all();
        const task = await caller.get(seen[0]?.task?.id ?? '');
        const start: Model = { said: ['go'], current: undefined, metadata: undefined, artifacts: new Map() };
        const end: Step = { kind: 'status', text: undefined, metadata: undefined };
        expect(toModel(task)).toEqual([...legal, end].reduce(next, start));
        const draft = folded(seen);
        expect({ ...draft, artifacts: draft?.artifacts ?? [] }).toEqual({ ...task, artifacts: task.artifacts ?? [] });
        await agent.close();
      }),
      { numRuns: 150 },
    );
  });

  test('P24: the previous status message moves into the history, metadata is merged, and the status is replaced', async () => {
    const agent = createAgent({
      name: 'Scribe',
      executor: {
        async execute({ taskId, contextId }, events) {
          await events.working('one');
          await events.publish({ taskId, contextId, status: { state: 'TASK_STATE_WORKING' }, metadata: { a: 1, b: 1 } });
          await events.publish({ taskId, contextId, status: { state: 'TASK_STATE_WORKING' }, metadata: { b: 2 } });
          await events.complete('two');
        },
      },
    });
    const { status, history, metadata: merged } = await callerOf(agent).task('hello');
    expect(history?.map(({ parts }) => parts[0]?.text)).toEqual(['hello', 'one']);
    expect(status.message?.parts).toEqual([{ text: 'two' }]);
    expect(merged).toEqual({ a: 1, b: 2 });
  });

  const CHUNKS: Record<string, [readonly [text: string, append: boolean][], readonly string[] | 'FAILED']> = {
    'the first chunk creates the artifact': [[['a', false]], ['a']],
    'append adds to the artifact': [
      [
        ['a', false],
        ['b', true],
        ['c', true],
      ],
      ['abc'],
    ],
    'without append the artifact is replaced': [
      [
        ['a', false],
        ['b', true],
        ['c', false],
      ],
      ['c'],
    ],
    'replaced, then appended to': [
      [
        ['a', false],
        ['c', false],
        ['d', true],
      ],
      ['cd'],
    ],
    'append to a missing artifact': [[['a', true]], 'FAILED'],
  };
  test.each(Object.entries(CHUNKS))('P25: %s', async (_, [chunks, expected]) => {
    const agent = createAgent({
      name: 'Scribe',
      executor: {
        async execute({ taskId, contextId }, events) {
          await events.task();
          for (const [text, append] of chunks) {
            await events.publish({ taskId, contextId, artifact: { artifactId: 'x', parts: [{ text }] }, append });
          }
          await events.complete();
        },
      },
    });
    const { status, artifacts } = await callerOf(agent).task('go');
    if (expected === 'FAILED') {
      expect(status.state).toBe('TASK_STATE_FAILED');
      expect(status.message?.metadata).toMatchObject({ 'urn:parley:a2a:error': { reason: 'INVALID_AGENT_RESPONSE' } });
    } else expect(artifacts).toEqual([{ artifactId: 'x', parts: expected.map((text) => ({ text })) }]);
  });

  test('P25: a replaced artifact keeps its place among the others', async () => {
    const agent = createAgent({
      name: 'Scribe',
      executor: {
        async execute(_, events) {
          for (const id of ['x', 'y', 'x']) await events.artifact({ artifactId: id, parts: [{ text: id }] });
          await events.complete();
        },
      },
    });
    expect((await callerOf(agent).task('go')).artifacts?.map(({ artifactId }) => artifactId)).toEqual(['x', 'y']);
  });
});
