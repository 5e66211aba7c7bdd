/**
 * Writes the JSON Schema of strict messages: known members only, required ones present, exactly one of a oneof. Plain draft-07, for any
 * validator; quick-keywords.mjs converts it for compilation.
 */
const TIMESTAMP = '^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?Z$';
export const BASE64 = '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$';
const INT32 = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };

export function writeSchema(model) {
  const definitions = model.messages.map((message) => [message.name, messageSchema(message, model.enums)]);
  return { $schema: 'http://json-schema.org/draft-07/schema#', $id: 'a2a', definitions: Object.fromEntries(definitions) };
}

function messageSchema({ about, fields, oneofs }, enums) {
  const required = fields.filter((field) => field.required).map((field) => field.json);
  return {
    description: about,
    type: 'object',
    additionalProperties: false,
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(fields.map((field) => [field.json, fieldSchema(field, enums)])),
    ...(oneofs.length > 0 && { oneOf: oneofs.flat().map((name) => ({ required: [name] })) }),
  };
}

function fieldSchema(field, enums) {
  if (field.map) return { type: 'object', additionalProperties: valueSchema(field, enums) };
  if (!field.repeated) return valueSchema(field, enums);
  return {
    type: 'array',
    ...(field.required && !field.mayBeEmpty && { minItems: 1 }),
    ...(field.maxItems !== undefined && { maxItems: field.maxItems }),
    items: valueSchema(field, enums),
  };
}

function valueSchema(field, enums) {
  switch (field.kind) {
    case 'string':
      return stringSchema(field);
    case 'bytes':
      return { type: 'string', pattern: BASE64 };
    case 'timestamp':
      return { type: 'string', pattern: TIMESTAMP };
    case 'bool':
      return { type: 'boolean' };
    case 'int32':
      return { type: 'integer', minimum: field.minimum ?? INT32.minimum, maximum: field.maximum ?? INT32.maximum };
    case 'enum':
      // Number 0 means "not specified": the parser converts it to absence.
      return {
        type: 'string',
        enum: enums
          .get(field.type)
          .values.filter(({ number }) => number !== 0)
          .map(({ name }) => name),
      };
    case 'struct':
      return { type: 'object' };
    case 'value':
      return {};
    default:
      return { $ref: `#/definitions/${field.type}` };
  }
}

function stringSchema(field) {
  return {
    type: 'string',
    ...((field.maxLength !== undefined || (field.implicit && !field.mayBeEmpty)) && { minLength: 1 }),
    ...(field.maxLength !== undefined && { maxLength: field.maxLength }),
  };
}
