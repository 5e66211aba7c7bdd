/** Writes generated/types.ts: one readonly interface per message, one string union per enum. */
const TYPES = {
  string: 'string',
  bytes: 'string',
  bool: 'boolean',
  int32: 'number',
  struct: 'JsonObject',
  value: 'unknown',
  timestamp: 'string',
};

export function writeTypes(model) {
  const enums = [...model.enums.values()].map(writeEnum);
  const messages = model.messages.map(writeMessage);
  return ["import type { JsonObject } from '../json.js';", ...enums, ...messages, writeMap(model.messages)].join('\n\n');
}

function writeEnum({ name, about, values }) {
  // Editors show no comments of union members, so the comment of the type describes each one.
  const meanings = values.map((value) => ` * - \`${value.name}\`: ${value.about}`);
  const members = values.map((value) => `  | '${value.name}'`);
  return `/**\n * ${about}\n${meanings.join('\n')}\n */\nexport type ${name} =\n${members.join('\n')};`;
}

function writeMessage({ name, about, fields }) {
  const comment = `/** ${about} */\n`;
  if (fields.length === 0) return `${comment}export type ${name} = Readonly<Record<string, never>>;`;
  return `${comment}export interface ${name} {\n${fields.map(writeField).join('\n')}\n}`;
}

function writeField(field) {
  const mark = field.required ? '' : '?';
  const note = field.deprecated ? ' @deprecated' : '';
  return `  /** ${field.about}${note} */\n  readonly ${field.json}${mark}: ${typeOf(field)};`;
}

function typeOf(field) {
  const type = TYPES[field.kind] ?? field.type;
  if (field.repeated) return `readonly ${type}[]`;
  return field.map ? `Readonly<Record<string, ${type}>>` : type;
}

function writeMap(messages) {
  const members = messages.map(({ name }) => `  readonly ${name}: ${name};`);
  return `/** Every message of the protocol by its name. */\nexport interface MessageTypes {\n${members.join('\n')}\n}`;
}
