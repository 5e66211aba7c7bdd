/**
 * Keywords of our own for what the standard ones can not do well when compiled: `oneOf` builds error objects for valid input, lengths need
 * Ajv's runtime, the pattern for base64 exhausts the regular expression engine at some megabytes, and nesting has no keyword at all.
 */
import { _, Name } from 'ajv';
import { BASE64 } from './write-schema.mjs';

// A free name in the compiled code; write-validators.mjs imports it there.
const isDeep = new Name('isDeep');

// [keyword, type of value it is for, code that is true for a fault]
const KEYWORDS = [
  ['exactlyOne', 'object', (data, names) => _`${names.map((name) => isSet(data, name)).reduce((a, b) => _`${a} + ${b}`)} !== 1`],
  ['minUnits', 'string', (data, length) => _`${data}.length < ${length}`],
  ['maxUnits', 'string', (data, length) => _`${data}.length > ${length}`],
  ['base64', 'string', (data) => _`${data}.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(${data})`],
  ['shallow', undefined, (data) => _`${isDeep}(${data})`],
];

const isSet = (data, name) => _`(${data}[${name}] !== undefined ? 1 : 0)`;

export function addQuickKeywords(ajv) {
  for (const [keyword, type, failure] of KEYWORDS) {
    const error = { message: '', params: ({ schema }) => _`{ limit: ${Array.isArray(schema) ? schema.join(', ') : schema} }` };
    ajv.addKeyword({ keyword, ...(type && { type }), error, code: (cxt) => cxt.fail(failure(cxt.data, cxt.schema)) });
  }
}

/** The same schema with our keywords in place of the standard ones, and references by message name. */
export function toQuickKeywords({ definitions }) {
  return Object.entries(definitions).map(([name, definition]) => [name, toQuick(definition)]);
}

function toQuick(schema) {
  const { description, oneOf, pattern, minLength, maxLength, $ref, properties, items, additionalProperties, ...rest } = schema;
  const quick = { ...rest };
  if (oneOf !== undefined) quick.exactlyOne = oneOf.map(({ required }) => required[0]);
  if (pattern !== undefined) Object.assign(quick, pattern === BASE64 ? { base64: true } : { pattern });
  if (minLength !== undefined) quick.minUnits = minLength;
  if (maxLength !== undefined) quick.maxUnits = maxLength;
  if ($ref !== undefined) quick.$ref = $ref.replace('#/definitions/', '');
  if (items !== undefined) quick.items = toQuick(items);
  if (properties !== undefined)
    quick.properties = Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, toQuick(value)]));
  if (additionalProperties !== undefined) quick.additionalProperties = additionalProperties && toQuick(additionalProperties);
  if (isFreeForm(schema)) quick.shallow = true;
  return quick;
}

/** Structs and values: anything may be inside. */
function isFreeForm(schema) {
  const keys = Object.keys(schema);
  return keys.length === 0 || (keys.length === 1 && schema.type === 'object');
}
