/** Writes generated/fields.ts: the facts that the lenient parser needs about each member. */
export function writeFields(model) {
  const enums = [...model.enums.values()].map(writeEnum);
  const messages = model.messages.map(writeMessage);
  return [
    "import type { EnumTable, FieldTable } from '../field-table.js';",
    `/** Names by number. */\nexport const ENUMS: EnumTable = {\n${enums.join('\n')}\n};`,
    `export const FIELDS: FieldTable = {\n${messages.join('\n')}\n};`,
  ].join('\n\n');
}

function writeEnum({ name, values }) {
  const byNumber = values.toSorted((a, b) => a.number - b.number);
  if (byNumber.some(({ number }, index) => number !== index)) throw new Error(`the values of ${name} must be numbered without gaps from 0`);
  return `  ${name}: [${byNumber.map((value) => `'${value.name}'`).join(', ')}],`;
}

function writeMessage({ name, fields }) {
  if (fields.length === 0) return `  ${name}: [],`;
  return `  ${name}: [\n${fields.map((field) => `    { ${writeRow(field).join(', ')} },`).join('\n')}\n  ],`;
}

function writeRow(field) {
  const row = [`json: '${field.json}'`, `kind: '${field.kind}'`];
  if (field.name !== field.json) row.push(`proto: '${field.name}'`);
  if (field.kind === 'message' || field.kind === 'enum') row.push(`type: '${field.type}'`);
  if (field.repeated) row.push('list: true');
  if (field.maxItems !== undefined) row.push(`max: ${field.maxItems}`);
  if (field.map) row.push('map: true');
  if (field.required) row.push('required: true');
  if (field.implicit && !field.required && !field.mayBeEmpty) row.push('implicit: true');
  if (field.oneof) row.push('oneof: true');
  return row;
}
