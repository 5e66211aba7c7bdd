/** Parts: 0.3 nests files in an object, and its data must be an object. */
import { A2AError } from '../../protocol/errors.js';
import { isObject, type Members } from '../../protocol/is-object.js';

/** In the metadata of a part: its data was wrapped in `{ value }`, because 0.3 allows only objects. Both official SDKs use this name. */
const WRAPPED = 'data_part_compat';

/** A 1.0 part in the JSON schema of 0.3. `filename` and `mediaType` of texts and data have no place there. */
export function partToSchema(part: Members): Members {
  const { text, metadata } = part;
  if (text !== undefined) return { kind: 'text', text, ...given({ metadata }) };
  if ('data' in part) return { kind: 'data', ...wrapData(part) };
  const { raw: bytes, url: uri, filename: name, mediaType: mimeType } = part;
  return { kind: 'file', file: given({ bytes, uri, name, mimeType }), ...given({ metadata }) };
}

/** A 1.0 part in the ProtoJSON of 0.3. */
export function partToProto(part: Members): Members {
  const { text, metadata } = part;
  if (text !== undefined) return { text, ...given({ metadata }) };
  if ('data' in part) {
    const { data, ...rest } = wrapData(part);
    return { data: { data }, ...rest };
  }
  const { raw: fileWithBytes, url: fileWithUri, filename: name, mediaType: mimeType } = part;
  return { file: given({ fileWithBytes, fileWithUri, name, mimeType }), ...given({ metadata }) };
}

/** Marked data is wrapped as well: otherwise the way back would unwrap it. */
function wrapData({ data, metadata }: Members): Members {
  const isMarked = isObject(metadata) && metadata[WRAPPED] !== undefined;
  if (isObject(data) && !isMarked) return { data, ...given({ metadata }) };
  const marked = isMarked ? { [WRAPPED]: true, before: metadata } : { ...(isObject(metadata) && metadata), [WRAPPED]: true };
  return { data: { value: data }, metadata: marked };
}

/** A part of a 0.3 request; `field` names it in errors. `kind` may be absent, and older peers call it `type`. */
export function partFromV03(part: unknown, field: string): unknown {
  if (!isObject(part)) return part;
  const { metadata } = part;
  switch (kindOf(part, field)) {
    case 'text':
      return { text: part.text, ...given({ metadata }) };
    case 'file':
      return { ...fileFromV03(part.file, field), ...given({ metadata }) };
    case 'data':
      return unwrapData(part.data, metadata);
    default:
      return part;
  }
}

/** A part of a 0.3 request in ProtoJSON: its data is nested once more. */
export function partFromProto(part: unknown, field: string): unknown {
  if (!isObject(part)) return part;
  return partFromV03(isObject(part.data) && 'data' in part.data ? { ...part, data: part.data.data } : part, field);
}

/** A part of a result: only wrapped data is changed. */
export function dataFromV03(part: Members): Members {
  const { data, metadata } = part;
  if (part.kind !== 'data' || !isObject(metadata) || metadata[WRAPPED] !== true) return part;
  return unwrapData(data, metadata);
}

function kindOf(part: Members, field: string): string | undefined {
  const kind = part.kind ?? part.type;
  if (kind === 'text' || kind === 'file' || kind === 'data') return kind;
  if (kind !== undefined && kind !== null) throw invalid(`${field}.kind`, `must be "text", "file" or "data", got ${show(kind)}`);
  return ['text', 'file', 'data'].find((name) => part[name] !== undefined);
}

/** The names are those of the JSON schema, of the proto file, and of its snake_case form. */
function fileFromV03(file: unknown, field: string): Members {
  if (!isObject(file)) throw invalid(`${field}.file`, 'must be an object with bytes or uri');
  const raw = file.bytes ?? file.fileWithBytes ?? file.file_with_bytes;
  const url = file.uri ?? file.fileWithUri ?? file.file_with_uri;
  const filename = file.name;
  const mediaType = file.mimeType ?? file.mime_type;
  return given({ raw, url, filename, mediaType });
}

function unwrapData(data: unknown, metadata: unknown): Members {
  if (!isObject(metadata) || metadata[WRAPPED] !== true || !isObject(data) || !('value' in data)) return { data, ...given({ metadata }) };
  const { [WRAPPED]: _, before, ...rest } = metadata;
  if (isObject(before) && before[WRAPPED] !== undefined) return { data: data.value, metadata: before };
  const own = before === undefined ? rest : { ...rest, before };
  return { data: data.value, ...(Object.keys(own).length > 0 && { metadata: own }) };
}

/** Throws INVALID_PARAMS for a member of a 0.3 request. */
export function invalid(field: string, description: string): A2AError {
  return new A2AError('INVALID_PARAMS', `Invalid parameters: ${field} ${description}`, { violations: [{ field, description }] });
}

/** An unknown value in an error. It comes from the peer and may be huge or nested deeply, so only a short text is shown. */
export function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  return String(value);
}

/** Only the members that have a value. */
export function given(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null));
}
