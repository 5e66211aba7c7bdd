/**
 * Converts the shapes of other protocol versions and SDKs to the names of this version, one object at a time. Unknown members are left to
 * the reader.
 */

import { FIELDS } from '../../protocol/generated/fields.js';
import { isObject, type Members } from '../../protocol/is-object.js';
import type { MessageTypes } from '../../protocol/types.js';

/** Renames and unwraps the members of one object whose names or nesting differ. Nested objects are not converted. */
export function toCurrentShape(type: keyof MessageTypes, value: unknown): unknown {
  const shape = SHAPES[type];
  const plain = isObject(value) ? withoutCases(value) : value;
  return shape === undefined ? plain : shape(plain);
}

/** The JavaScript SDK represents a variant as `{ scheme: { $case: 'httpAuthSecurityScheme', value: … } }`. */
function withoutCases(value: Members): Members {
  let plain: Record<string, unknown> | undefined;
  for (const [name, member] of Object.entries(value)) {
    if (!isObject(member) || typeof member.$case !== 'string' || member.$case === '__proto__' || UNTOUCHED.has(name)) continue;
    plain ??= { ...value };
    delete plain[name];
    plain[member.$case] = member.value;
  }
  return plain ?? value;
}

const UNTOUCHED: ReadonlySet<string> = new Set(['metadata', 'data', 'params', 'scopes', 'header']);

const SHAPES: Readonly<Partial<Record<keyof MessageTypes, (value: unknown) => unknown>>> = {
  SendMessageResponse: wrapped,
  StreamResponse: wrapped,
  Task: (value) => (isObject(value) && value.id === undefined && isObject(value.task) ? value.task : value),
  Message: (value) => (isObject(value) && Array.isArray(value.content) ? { ...value, parts: value.content } : value),
  Part: toPart,
  TaskPushNotificationConfig: toPushConfig,
  AuthenticationInfo: (value) =>
    isObject(value) && Array.isArray(value.schemes) && value.scheme === undefined ? { ...value, scheme: value.schemes[0] } : value,
  ListTaskPushNotificationConfigsResponse: (value) => (Array.isArray(value) ? { configs: value } : value),
  StringList: (value) => (Array.isArray(value) ? { list: value } : value),
  SecurityRequirement: toRequirement,
  SecurityScheme: toScheme,
  AgentCard: toCard,
  AgentSkill: withRequirements,
};

const BY_KIND: Readonly<Partial<Record<string, string>>> = {
  task: 'task',
  message: 'message',
  'status-update': 'statusUpdate',
  'artifact-update': 'artifactUpdate',
};

/** Before 1.0, responses and events were tagged instead of wrapped, and some servers omitted the tag. */
function wrapped(value: unknown): unknown {
  if (!isObject(value)) return value;
  const kind = typeof value.kind === 'string' && Object.hasOwn(BY_KIND, value.kind) ? BY_KIND[value.kind] : undefined;
  const name = kind ?? guessed(value);
  if (name !== undefined && !isObject(value[name])) return { [name]: value };
  return value.message === undefined && isObject(value.msg) ? { ...value, message: value.msg } : value;
}

function guessed(value: Members): string | undefined {
  if (typeof (value.messageId ?? value.message_id) === 'string') return 'message';
  if (typeof value.id === 'string' && isObject(value.status)) return 'task';
  if (typeof (value.taskId ?? value.task_id) !== 'string') return undefined;
  if (isObject(value.artifact)) return 'artifactUpdate';
  return isObject(value.status) ? 'statusUpdate' : undefined;
}

const PART_CONTENT = ['text', 'raw', 'url', 'data'];
const PART_REST: ReadonlySet<string> = new Set(['kind', 'type', 'metadata', 'filename', 'mediaType', 'media_type']);

function toPart(value: unknown): unknown {
  if (!isObject(value)) return value;
  if (isObject(value.file)) return toFilePart(value, value.file);
  if (value.kind === 'data' && isObject(value.metadata) && value.metadata.data_part_compat === true && isObject(value.data))
    return { ...value, ...withoutMarker(value.data, value.metadata) };
  if (PART_CONTENT.some((name) => value[name] !== undefined && (value[name] !== null || name === 'data'))) return value;
  // Content of an unknown kind is kept as data. A part without content is an empty text, which ProtoJSON may omit.
  const { metadata } = value;
  return Object.keys(value).some((name) => !PART_REST.has(name)) ? { data: value } : { ...value, text: '', metadata };
}

function toFilePart(part: Members, file: Members): Members {
  const raw = file.bytes ?? file.fileWithBytes ?? file.file_with_bytes;
  const url = file.uri ?? file.fileWithUri ?? file.file_with_uri ?? file.url;
  return {
    ...(raw === undefined || raw === null ? { url: url ?? '' } : { raw }),
    metadata: part.metadata,
    filename: file.name ?? part.filename,
    mediaType: file.mimeType ?? file.mime_type ?? part.mediaType,
  };
}

/** For version 0.3, data that is not an object was wrapped in one and marked. */
function withoutMarker(data: Members, { data_part_compat: _, ...metadata }: Members): Members {
  if (!('value' in data)) return {};
  return { data: data.value, metadata: Object.keys(metadata).length > 0 ? metadata : undefined };
}

function toPushConfig(value: unknown): unknown {
  if (!isObject(value)) return value;
  const inner = value.pushNotificationConfig ?? value.push_notification_config;
  return isObject(inner) ? { ...inner, taskId: value.taskId ?? value.task_id, tenant: value.tenant } : value;
}

/** Before 1.0: scopes by scheme name, without a wrapper. */
function toRequirement(value: unknown): unknown {
  if (!isObject(value) || isObject(value.schemes)) return value;
  return { schemes: value };
}

/** In the names of both JSON and the .proto file. */
const SCHEMES = FIELDS.SecurityScheme.flatMap(({ json, proto = json }) => [json, proto]);

/** The OpenAPI form of version 0.3: the kind is in `type`. Schemes for both versions also have the form of 1.0, which can say more. */
function toScheme(value: unknown): unknown {
  if (!isObject(value) || typeof value.type !== 'string' || SCHEMES.some((name) => isObject(value[name]))) return value;
  switch (value.type) {
    case 'apiKey':
      return { apiKeySecurityScheme: { ...value, location: value.location ?? value.in } };
    case 'http':
      return { httpAuthSecurityScheme: value };
    case 'oauth2':
      return { oauth2SecurityScheme: value };
    case 'openIdConnect':
      return { openIdConnectSecurityScheme: value };
    case 'mutualTLS':
      return { mtlsSecurityScheme: value };
    default:
      return value;
  }
}

/** No agent has so many addresses, and the card comes from an unknown peer. */
const MAX_ADDRESSES = 100;

/** A 0.3 card has one main address and a list of additional ones. They keep their version, so that they are not mistaken for 1.0. */
function toCard(value: unknown): unknown {
  if (!isObject(value)) return value;
  const interfaces = value.supportedInterfaces ?? value.supported_interfaces ?? [];
  if (!Array.isArray(interfaces) || interfaces.length > 0) return value; // of 1.0, also if it is invalid
  const extended = value.supportsAuthenticatedExtendedCard ?? value.supportsExtendedAgentCard;
  return {
    ...(withRequirements(value) as Members), // an object, like its input
    supportedInterfaces: interfacesOf(value),
    ...(extended === true && { capabilities: { ...(isObject(value.capabilities) && value.capabilities), extendedAgentCard: true } }),
  };
}

/** The list often repeats the main address. */
function interfacesOf({ url: main, preferredTransport, protocolVersion, additionalInterfaces }: Members): readonly Members[] {
  const version = typeof protocolVersion === 'string' ? protocolVersion : '0.3';
  // ProtoJSON may contain the empty default.
  const transport = preferredTransport === '' ? 'JSONRPC' : (preferredTransport ?? 'JSONRPC');
  const more = Array.isArray(additionalInterfaces) ? additionalInterfaces.filter(isObject) : [];
  const found = new Map<string, Members>();
  for (const { url, transport: protocolBinding } of [{ url: main, transport }, ...more]) {
    if (found.size === MAX_ADDRESSES) break;
    if (url === undefined || url === null) continue;
    const key = JSON.stringify([url, protocolBinding]);
    if (!found.has(key)) found.set(key, { url, protocolBinding, protocolVersion: version });
  }
  return [...found.values()];
}

/** Cards and skills of 0.3 have their requirements in `security`. */
function withRequirements(value: unknown): unknown {
  if (!isObject(value) || value.security === undefined || value.securityRequirements !== undefined) return value;
  return { ...value, securityRequirements: value.security };
}
