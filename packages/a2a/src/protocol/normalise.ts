/**
 * The lenient part of parsing: converts everything that ProtoJSON permits to the form that the strict validators accept. Runs only when a
 * value is not in that form. It copies only known members, so unknown ones are dropped.
 */

import type { FieldRow } from './field-table.js';
import { ENUMS, FIELDS } from './generated/fields.js';
import { isObject, type Members } from './is-object.js';
import type { MessageTypes } from './types.js';

/** Returns a new value, in strict form if possible; invalid members are kept, so that the validator reports them. */
export function normalise(type: keyof MessageTypes, value: unknown): unknown {
  if (!isObject(value)) return value;
  const result: Record<string, unknown> = {};
  for (const row of FIELDS[type]) {
    const member = normaliseField(row, pick(value, row));
    if (member !== undefined) result[row.json] = member;
  }
  return result;
}

/** camelCase takes precedence; null counts as absent, except for members that allow any JSON value. */
function pick(value: Members, row: FieldRow): unknown {
  const given = own(value, row.json);
  if (given !== undefined && (given !== null || row.kind === 'value')) return given;
  const old = row.proto === undefined ? undefined : own(value, row.proto);
  return old ?? undefined;
}

function normaliseField(row: FieldRow, value: unknown): unknown {
  if (value === undefined) return undefined;
  if (row.list) return normaliseList(row, value);
  if (!row.map) return normaliseValue(row, value);
  // fromEntries defines members instead of assigning them, so a key named __proto__ is an ordinary key.
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, normaliseValue(row, item)])) : value;
}

function normaliseList(row: FieldRow, value: unknown): unknown {
  // A list that is too long will be refused: do not process millions of items before that.
  if (!Array.isArray(value) || value.length > (row.max ?? value.length)) return value;
  return value.map((item) => normaliseValue(row, item));
}

function normaliseValue(row: FieldRow, value: unknown): unknown {
  switch (row.kind) {
    case 'message':
      // The generated table contains only message names of the model.
      return normalise(row.type as keyof MessageTypes, value);
    case 'enum':
      return toEnumName(row, value);
    case 'string':
      return row.implicit && value === '' ? undefined : value;
    case 'bytes':
      return typeof value === 'string' ? toBase64(value) : value;
    case 'timestamp':
      return typeof value === 'string' ? toUtc(value) : value;
    case 'int32':
      return typeof value === 'string' && /^-?\d{1,10}$/.test(value) ? Number(value) : value;
    default:
      return value;
  }
}

function toEnumName(row: FieldRow, value: unknown): unknown {
  const names = ENUMS[row.type ?? ''] ?? [];
  const name = typeof value === 'number' ? (names[value] ?? value) : value;
  return row.implicit && name === names[0] ? undefined : name;
}

/** Accepts the URL alphabet and missing padding. */
export function toBase64(text: string): string {
  const plain = text.replaceAll('-', '+').replaceAll('_', '/');
  const missing = (4 - (plain.length % 4)) % 4;
  return plain.endsWith('=') || missing === 3 ? plain : plain + '='.repeat(missing);
}

/** Accepts offsets; the fraction is kept as text, because a Date would cut it to milliseconds. */
export function toUtc(text: string): string {
  const match = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/.exec(text);
  if (match === null) return text;
  const [, date, time, fraction = '', zone] = match;
  const instant = Date.parse(`${date}T${time}${zone?.toUpperCase()}`);
  return Number.isNaN(instant) ? text : new Date(instant).toISOString().replace('.000Z', `${fraction}Z`);
}

function own(value: Members, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
