/** Reads the model in the form that the writers use: with JSON names, presence and element kinds. */
import { readFileSync } from 'node:fs';

const SCALARS = new Map([
  ['string', 'string'],
  ['bytes', 'bytes'],
  ['bool', 'bool'],
  ['int32', 'int32'],
  ['google.protobuf.Struct', 'struct'],
  ['google.protobuf.Value', 'value'],
  ['google.protobuf.Timestamp', 'timestamp'],
]);

export function readModel() {
  const model = JSON.parse(readFileSync(new URL('./a2a-1.0.json', import.meta.url), 'utf8'));
  const enums = new Map(model.enums.map((each) => [each.name, each]));
  const messages = model.messages.map((message) => toMessage(message, enums));
  // The result of operations that return nothing; in the .proto it is a well-known type.
  messages.push({ name: 'Empty', about: 'An empty result: the operation succeeded.', fields: [], oneofs: [] });
  return { service: model.service, enums, messages };
}

function toMessage({ name, about, fields }, enums) {
  const known = fields.map((field) => toField(field, enums));
  const names = new Set(known.flatMap((field) => field.oneof ?? []));
  const oneofs = [...names].map((oneof) => known.filter((field) => field.oneof === oneof).map((field) => field.json));
  return { name, about, fields: known, oneofs };
}

function toField(field, enums) {
  const kind = SCALARS.get(field.type) ?? (enums.has(field.type) ? 'enum' : 'message');
  return { ...field, json: toJsonName(field.name), kind, implicit: isImplicit(field, kind) };
}

/** True if the default value and absence are the same on the wire. */
function isImplicit(field, kind) {
  if (field.oneof !== undefined || field.optional || field.repeated || field.map) return false;
  return ['string', 'bytes', 'bool', 'int32', 'enum'].includes(kind);
}

function toJsonName(protoName) {
  return protoName.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
}
