/** Describes validation errors for the sender of the value. */
import type { FieldViolation } from './errors.js';
import type { FieldRow } from './field-table.js';
import { FIELDS } from './generated/fields.js';
import { NESTING_LIMIT } from './nesting.js';
import type { MessageTypes } from './types.js';
import type { ValidationError } from './validator.js';

const PATH_LIMIT = 200;

type Describe = (params: ValidationError['params']) => string;

const NOUNS: Readonly<Record<string, string>> = {
  string: 'a string',
  object: 'an object',
  array: 'an array',
  boolean: 'true or false',
  integer: 'a whole number',
};

const DESCRIPTIONS: Readonly<Record<string, Describe>> = {
  type: ({ type }) => `must be ${NOUNS[String(type)] ?? type}`,
  enum: ({ allowedValues }) => `must be one of ${Array.isArray(allowedValues) ? allowedValues.join(', ') : allowedValues}`,
  exactlyOne: ({ limit }) => `must have exactly one of ${limit}`,
  minItems: () => 'must have at least one element',
  maxItems: ({ limit }) => `must have at most ${limit} elements`,
  minUnits: () => 'must not be empty',
  maxUnits: ({ limit }) => `must have at most ${limit} characters`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  base64: () => 'must be base64',
  // Timestamps are the only pattern in the compiled schema.
  pattern: () => 'must be an RFC 3339 time such as 2025-01-31T12:00:00.000Z',
  shallow: () => `must not be nested more than ${NESTING_LIMIT} levels deep`,
};

/** The violations of a value. If a required member is missing, all missing members of the same object are named. */
export function toViolations(type: keyof MessageTypes, value: unknown, errors: readonly ValidationError[]): readonly FieldViolation[] {
  return errors.flatMap((error) => {
    const path = error.instancePath.split('/').slice(1).map(unescapePointer);
    if (error.keyword === 'required') return missingMembers(type, value, path);
    if (error.keyword === 'additionalProperties') {
      return [{ field: toField([...path, String(error.params.additionalProperty)]), description: 'is not a known member' }];
    }
    const describe = DESCRIPTIONS[error.keyword];
    return [{ field: toField(path), description: describe?.(error.params) ?? 'is not valid' }];
  });
}

/** One clause per violation, for the message of an error. */
export function toSentence(type: string, violations: readonly FieldViolation[]): string {
  return violations.map(({ field, description }) => `${field === '' ? type : field} ${description}`).join('; ');
}

/** Follows the path through the table to the message with the missing members. */
function missingMembers(root: keyof MessageTypes, value: unknown, path: readonly string[]): readonly FieldViolation[] {
  let type = root;
  let holder = value;
  let inside = false;
  for (const segment of path) {
    const row: FieldRow | undefined = inside ? undefined : FIELDS[type].find(({ json }) => json === segment);
    inside = row?.list === true || row?.map === true;
    // The generated table contains only message names of the model.
    if (row?.type !== undefined) type = row.type as keyof MessageTypes;
    holder = (holder as Readonly<Record<string, unknown>>)[segment];
  }
  const members = holder as Readonly<Record<string, unknown>>;
  const missing = FIELDS[type].filter(({ json, required }) => required && members[json] === undefined);
  return missing.map(({ json }) => ({ field: toField([...path, json]), description: 'is required' }));
}

/** `message.parts[0].text`; cut, because map keys come from the sender and may be long. */
function toField(path: readonly string[]): string {
  const dotted = path.map((segment) => (/^\d+$/.test(segment) ? `[${segment}]` : `.${segment}`)).join('');
  return dotted.replace(/^\./, '').slice(0, PATH_LIMIT);
}

function unescapePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}
