/**
 * Reads values that are not in strict form. Peers write ProtoJSON in different ways: names of the .proto file, numbers for enums,
 * lower-case states, omitted members, shapes of the previous version, objects of an SDK. A value that can be understood becomes a message
 * of this version. A member with the wrong type is an error. Valid values never get here.
 */
import type { FieldRow } from '../../protocol/field-table.js';
import { ENUMS, FIELDS } from '../../protocol/generated/fields.js';
import { isObject, type Members } from '../../protocol/is-object.js';
import { toBase64, toUtc } from '../../protocol/normalise.js';
import type { MessageTypes } from '../../protocol/types.js';
import { toCurrentShape } from './lenient-shapes.js';

type TypeName = keyof MessageTypes;

/** Names the member that is invalid and its problem. */
export class Misfit extends Error {
  constructor(path: string, problem: string) {
    super(`${path === '' ? 'it' : path} ${problem}`);
  }
}

/** Reads the value as a message of this type. Throws a Misfit with the first invalid member. */
export function readLeniently<K extends TypeName>(type: K, value: unknown): MessageTypes[K] {
  // Built member by member from the field table of the type.
  return readMessage(type, value, '') as MessageTypes[K];
}

function readMessage(type: TypeName, value: unknown, path: string): Members {
  const given = toCurrentShape(type, value);
  if (!isObject(given)) throw new Misfit(path, 'must be an object');
  const result: Record<string, unknown> = {};
  for (const row of FIELDS[type]) {
    const where = path === '' ? row.json : `${path}.${row.json}`;
    const read = readField(row, pick(given, row), where);
    const member = read === undefined ? missing(type, row, where) : read; // null is a value of `data`
    if (member !== undefined) result[row.json] = member;
  }
  if (NON_EMPTY[type] !== undefined && result[NON_EMPTY[type]] === '') throw new Misfit(join(path, NON_EMPTY[type]), 'must not be empty');
  return withOneVariant(type, result, path);
}

/** The camelCase member wins. null counts as absent, unless any JSON value is allowed. */
function pick(given: Members, row: FieldRow): unknown {
  const value = own(given, row.json);
  if (value !== undefined && (value !== null || row.kind === 'value')) return value;
  return (row.proto === undefined ? undefined : own(given, row.proto)) ?? undefined;
}

function readField(row: FieldRow, value: unknown, path: string): unknown {
  if (value === undefined) return undefined;
  if (row.list) {
    if (!Array.isArray(value)) throw new Misfit(path, 'must be a list');
    return value.map((item, index) => readValue(row, item, `${path}[${index}]`));
  }
  if (!row.map) return readValue(row, value, path);
  if (!isObject(value)) throw new Misfit(path, 'must be an object');
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, readValue(row, item, `${path}.${key}`)]));
}

function readValue(row: FieldRow, value: unknown, path: string): unknown {
  switch (row.kind) {
    case 'message':
      // The generated table only names messages of the model.
      return readMessage(row.type as TypeName, value, path);
    case 'enum':
      return readEnum(row.type ?? '', value, path);
    case 'string':
      return row.implicit && value === '' ? undefined : checked(value, 'string', path);
    case 'bytes':
      return toBase64(checked(value, 'string', path));
    case 'timestamp':
      return readTime(checked(value, 'string', path));
    case 'bool':
      return checked(value, 'boolean', path);
    case 'int32':
      return checked(typeof value === 'string' && /^-?\d{1,10}$/.test(value) ? Number(value) : value, 'number', path);
    case 'struct':
      if (!isObject(value)) throw new Misfit(path, 'must be an object');
      return value;
    case 'value':
      return value;
  }
}

interface Primitives {
  readonly string: string;
  readonly boolean: boolean;
  readonly number: number;
}

function checked<T extends keyof Primitives>(value: unknown, type: T, path: string): Primitives[T] {
  if (typeof value !== type) throw new Misfit(path, `must be a ${type}`);
  return value as Primitives[T];
}

/** `input-required`, `INPUT_REQUIRED` and `TASK_STATE_INPUT_REQUIRED` are the same state. */
function readEnum(type: string, value: unknown, path: string): string {
  const names = ENUMS[type] ?? [];
  const name = typeof value === 'number' ? names[value] : names.find((one) => one === value);
  if (name !== undefined) return name;
  if (typeof value !== 'string') throw new Misfit(path, 'must be a name');
  const key = bare(value);
  const [unspecified = ''] = names;
  const found = key === 'UNKNOWN' ? unspecified : names.find((one) => bare(one) === (key === 'CANCELLED' ? 'CANCELED' : key));
  if (found === undefined) throw new Misfit(path, `is ${JSON.stringify(value.slice(0, 40))}, which is unknown`);
  return found;
}

function bare(name: string): string {
  return name
    .toUpperCase()
    .replace(/[^A-Z]/g, '')
    .replace(/^(?:TASKSTATE|ROLE)/, '');
}

const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

/** A time without a zone is read as UTC. An invalid time is omitted, since only the order of lists depends on it. */
function readTime(text: string): string | undefined {
  const utc = toUtc(/[zZ]$|[+-]\d\d:?\d\d$/.test(text) ? text : `${text.replace(' ', 'T')}Z`);
  return UTC.test(utc) ? utc : undefined;
}

/** Without these members a message has no meaning. */
const NON_EMPTY: Readonly<Partial<Record<TypeName, string>>> = {
  Task: 'id',
  Message: 'messageId',
  TaskStatusUpdateEvent: 'taskId',
  TaskArtifactUpdateEvent: 'taskId',
  Artifact: 'artifactId',
  AgentCard: 'name',
};
const INDISPENSABLE: ReadonlySet<string> = new Set([
  'Task.id',
  'Message.messageId',
  'Message.role',
  'Message.parts',
  'TaskStatusUpdateEvent.taskId',
  'TaskStatusUpdateEvent.status',
  'TaskArtifactUpdateEvent.taskId',
  'TaskArtifactUpdateEvent.artifact',
  'Artifact.artifactId',
  'AgentCard.name',
]);

/** ProtoJSON omits default values, so a missing required member has its default. */
function missing(type: TypeName, row: FieldRow, path: string): unknown {
  if (!row.required) return undefined;
  if (INDISPENSABLE.has(`${type}.${row.json}`)) throw new Misfit(path, 'is missing');
  if (row.list) return [];
  if (row.map) return {};
  switch (row.kind) {
    case 'message':
      return readMessage(row.type as TypeName, {}, path);
    case 'enum':
      return ENUMS[row.type ?? '']?.[0];
    case 'int32':
      return 0;
    case 'bool':
      return false;
    case 'struct':
      return {};
    default:
      return '';
  }
}

/**
 * Keeps the first non-empty one of mutually exclusive members. A card may contain only unknown security schemes, so not every type must
 * have one.
 */
function withOneVariant(type: TypeName, result: Record<string, unknown>, path: string): Members {
  const variants = FIELDS[type].filter(({ oneof }) => oneof).map(({ json }) => json);
  if (variants.length === 0) return result;
  const given = variants.filter((name) => name in result);
  if (given.length === 0 && MUST_HAVE_VARIANT.has(type)) throw new Misfit(path, `contains none of ${variants.join(', ')}`);
  const kept = given.find((name) => result[name] !== '') ?? given[0];
  for (const name of given) if (name !== kept) delete result[name];
  return result;
}

const MUST_HAVE_VARIANT: ReadonlySet<TypeName> = new Set<TypeName>(['SendMessageResponse', 'StreamResponse', 'Part']);

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function own(value: Members, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
