/**
 * Custom keywords where the standard ones compile to slow or unsafe code: `oneOf` builds error objects for valid input, lengths need Ajv's
 * runtime, the base64 pattern overflows the regular expression engine at a few megabytes, and there is no keyword for nesting depth.
 */
import { _, Name } from 'ajv';
import { BASE64 } from './write-schema.mjs';

// A free variable of the compiled code; write-validators.mjs adds its import.
const isDeep = new Name('isDeep');

// [keyword, type of the checked value, code that is true for a violation]
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

/** Returns the same schema with the custom keywords instead of the standard ones, and references by message name. */
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

/** Structs and values, which may contain anything. */
function isFreeForm(schema) {
  const keys = Object.keys(schema);
  return keys.length === 0 || (keys.length === 1 && schema.type === 'object');
}
