/** Messages and event lists that fast-check generates for property tests. */
import fc from 'fast-check';
import type { TaskEvent } from '../src/protocol/apply-event.js';
import type { FieldRow } from '../src/protocol/field-table.js';
import { ENUMS, FIELDS } from '../src/protocol/generated/fields.js';
import type { Artifact, JsonObject, Message, MessageTypes, Part, Task, TaskState } from '../src/protocol/types.js';

export const messageNames = Object.keys(FIELDS) as (keyof MessageTypes)[];

/** Also objects with unusual keys, such as `__proto__`. */
const jsonObject = fc
  .dictionary(
    fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom('__proto__', 'constructor', 'toString')),
    fc.jsonValue({ maxDepth: 2 }),
    { maxKeys: 3 },
  )
  .map((object) => JSON.parse(JSON.stringify(object)) as JsonObject);

const base64 = fc.uint8Array({ maxLength: 12 }).map((bytes) => btoa(String.fromCharCode(...bytes)));
const timestamp = fc
  .date({ min: new Date('1970-01-01T00:00:00Z'), max: new Date('2100-01-01T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString());

// Built once per type: a card contains dozens of messages.
const strictMessages = new Map<string, fc.Arbitrary<unknown>>();

/** A message in the strict form, of any type of the model. */
export function strictMessage(type: keyof MessageTypes): fc.Arbitrary<unknown> {
  const arbitrary = strictMessages.get(type) ?? createStrictMessage(type);
  strictMessages.set(type, arbitrary);
  return arbitrary;
}

/** A message of any type, with a list of numbers that decides what happens to it. */
export const anyStrictMessage = fc.constantFrom(...messageNames).chain((type) =>
  fc.record({
    type: fc.constant(type),
    value: strictMessage(type),
    numbers: fc.array(fc.nat({ max: 999 }), { minLength: 40, maxLength: 40 }),
  }),
);

/** Returns the numbers one after the other and starts again at the end. */
export function dice(numbers: readonly number[]): () => number {
  let next = 0;
  return () => numbers[next++ % numbers.length] ?? 0;
}

function createStrictMessage(type: keyof MessageTypes): fc.Arbitrary<unknown> {
  const rows = FIELDS[type];
  const plain = rows.filter((row) => !row.oneof);
  const variants = rows.filter((row) => row.oneof);
  const shape = Object.fromEntries(plain.map((row) => [row.json, member(row)]));
  const required = plain.filter((row) => row.required).map((row) => row.json);
  const base = fc.record(shape, { requiredKeys: required });
  if (variants.length === 0) return base;
  const variant = fc.oneof(...variants.map((row) => member(row).map((value) => [row.json, value] as const)));
  return fc.tuple(base, variant).map(([members, [name, value]]) => ({ ...members, [name]: value }));
}

function member(row: FieldRow): fc.Arbitrary<unknown> {
  if (row.list) return fc.array(single(row), { minLength: 1, maxLength: 2 });
  return row.map ? fc.dictionary(fc.string({ maxLength: 5 }), single(row), { maxKeys: 2, noNullPrototype: true }) : single(row);
}

function single(row: FieldRow): fc.Arbitrary<unknown> {
  switch (row.kind) {
    case 'message':
      return strictMessage(row.type as keyof MessageTypes);
    case 'enum':
      return fc.constantFrom(...(ENUMS[row.type ?? ''] ?? []).slice(1));
    case 'int32':
      return fc.integer({ min: 1, max: 100 });
    case 'bool':
      return fc.boolean();
    case 'bytes':
      return base64;
    case 'timestamp':
      return timestamp;
    case 'struct':
      return jsonObject;
    case 'value':
      return fc.jsonValue({ maxDepth: 2 });
    case 'string':
      return fc.string({ minLength: 1, maxLength: 8 });
  }
}

const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ text: fc.string() }),
  fc.record({ data: fc.jsonValue({ maxDepth: 1 }) }).map(({ data }) => ({ data: JSON.parse(JSON.stringify(data)) })),
);
const parts = fc.array(part, { minLength: 1, maxLength: 3 });
const extras = fc.option(jsonObject, { nil: undefined });
const going = fc.constantFrom<TaskState>('TASK_STATE_WORKING', 'TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_AUTH_REQUIRED');
const ended = fc.constantFrom<TaskState>('TASK_STATE_COMPLETED', 'TASK_STATE_FAILED', 'TASK_STATE_CANCELED', 'TASK_STATE_REJECTED');

type Step =
  | {
      readonly kind: 'say';
      readonly state: TaskState;
      readonly parts: readonly Part[] | undefined;
      readonly metadata: JsonObject | undefined;
    }
  | { readonly kind: 'ask'; readonly parts: readonly Part[] }
  | {
      readonly kind: 'make';
      readonly id: string;
      readonly append: boolean;
      readonly parts: readonly Part[];
      readonly metadata: JsonObject | undefined;
    };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('say' as const), state: going, parts: fc.option(parts, { nil: undefined }), metadata: extras }),
  fc.record({ kind: fc.constant('ask' as const), parts }),
  fc.record({
    kind: fc.constant('make' as const),
    id: fc.constantFrom('a', 'b', '__proto__'),
    append: fc.boolean(),
    parts,
    metadata: extras,
  }),
);

export interface Story {
  readonly task: Task;
  readonly events: readonly TaskEvent[];
}

/** A task and a legal list of events for it. The list may stop before a final state. */
export const story: fc.Arbitrary<Story> = fc
  .tuple(fc.array(step, { maxLength: 20 }), fc.option(ended, { nil: undefined }))
  .map(([steps, end]) => toStory(steps, end));

function toStory(steps: readonly Step[], end: TaskState | undefined): Story {
  const known = new Set<string>();
  const first: Message = { messageId: 'first', role: 'ROLE_USER', parts: [{ text: 'go' }] };
  const task: Task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_SUBMITTED' }, history: [first] };
  const events = steps.map((each, index) => toEvent(each, index, known));
  if (end !== undefined) events.push({ kind: 'status', update: { taskId: 't', contextId: 'c', status: { state: end } } });
  return { task, events };
}

function toEvent(each: Step, index: number, known: Set<string>): TaskEvent {
  const ids = { taskId: 't', contextId: 'c' };
  const messageId = `m${index}`;
  if (each.kind === 'ask') return { kind: 'input', message: { messageId, role: 'ROLE_USER', parts: each.parts } };
  const metadata = each.metadata === undefined ? {} : { metadata: each.metadata };
  if (each.kind === 'say') {
    const message: Message | undefined = each.parts && { messageId, role: 'ROLE_AGENT', parts: each.parts };
    return { kind: 'status', update: { ...ids, status: { state: each.state, ...(message && { message }) }, ...metadata } };
  }
  const artifact: Artifact = { artifactId: each.id, parts: each.parts, ...metadata };
  const append = each.append && known.has(each.id);
  known.add(each.id);
  return { kind: 'artifact', update: { ...ids, artifact, append } };
}

/** For comparisons in which the order of members does not matter. Unlike a deep comparison, it sees members named `__proto__`. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, item) => (typeof item === 'object' && item !== null && !Array.isArray(item) ? sorted(item) : item));
}

function sorted(object: object): object {
  return Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const JUNK = [
  undefined,
  null,
  '',
  0,
  -1,
  1.5,
  2 ** 31,
  true,
  [],
  {},
  'junk',
  ['x'],
  'x'.repeat(257),
  { text: 'a', url: 'b' },
  'QQ',
  'Zm9=',
  '2025-13-01T00:00:00Z',
];

/** Puts an invalid value somewhere into `value`. */
export function damage(value: unknown, pick: () => number): unknown {
  const junk = JUNK[pick() % JUNK.length];
  if (typeof value !== 'object' || value === null || pick() % 4 === 0) return junk;
  const keys = Object.keys(value);
  if (pick() % 5 === 0 || keys.length === 0) return Array.isArray(value) ? [...value, junk] : { ...value, unknownMember: junk };
  const key = keys[pick() % keys.length] ?? '';
  const members = value as Record<string, unknown>;
  const changed = damage(members[key], pick);
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === key ? changed : item));
  return Object.fromEntries(Object.entries(members).map(([name, item]) => [name, name === key ? changed : item]));
}
