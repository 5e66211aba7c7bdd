/**
 * The shapes of A2A 0.3, for tests: every message of 0.3 that is sent in a test is compared with them. A member that is not listed is a
 * fault, so that nothing of 1.0 gets to a 0.3 peer.
 */
import { isObject, type Members } from '../../protocol/is-object.js';
import { STATES_OF_SCHEMA } from './enums.js';

/** A type name, with `?` behind it if the member is optional. */
type Shape = Readonly<Record<string, string>>;

const CONTENT = { metadata: 'object?' } as const;
const IDS = { messageId: 'text', contextId: 'text?', taskId: 'text?', extensions: 'texts?' } as const;
const PUSH: Shape = { id: 'text?', url: 'text', token: 'text?', authentication: 'PushAuthentication?' };
const TASK: Shape = { id: 'text', contextId: 'text', status: 'Status', history: 'Message[]?', artifacts: 'Artifact[]?', ...CONTENT };
const EVENT = { taskId: 'text', contextId: 'text', ...CONTENT } as const;
const COMMON: Readonly<Record<string, Shape>> = {
  Status: { state: 'state', message: 'Message?', timestamp: 'text?' },
  Artifact: { artifactId: 'text', name: 'text?', description: 'text?', parts: 'Part[]', extensions: 'texts?', ...CONTENT },
  Push: PUSH,
  PushAuthentication: { schemes: 'texts', credentials: 'text?' },
};

/** The JSON schema, with tags. A reply in the plain dialect has `type` beside `kind` in its parts. */
const SCHEMA_SHAPES: Readonly<Record<string, Shape>> = {
  ...COMMON,
  Task: { kind: '=task', ...TASK },
  Message: { kind: '=message', role: 'role', parts: 'Part[]', referenceTaskIds: 'texts?', ...IDS, ...CONTENT },
  StatusUpdate: { kind: '=status-update', status: 'Status', final: 'flag', ...EVENT },
  ArtifactUpdate: { kind: '=artifact-update', artifact: 'Artifact', append: 'flag?', lastChunk: 'flag?', ...EVENT },
  TextPart: { kind: '=text', type: '=text?', text: 'text', ...CONTENT },
  FilePart: { kind: '=file', type: '=file?', file: 'File', ...CONTENT },
  DataPart: { kind: '=data', type: '=data?', data: 'object', ...CONTENT },
  File: { bytes: 'text?', uri: 'text?', name: 'text?', mimeType: 'text?' },
  Config: { taskId: 'text', pushNotificationConfig: 'Push' },
};

/** The ProtoJSON, with wrappers. */
const PROTO_SHAPES: Readonly<Record<string, Shape>> = {
  ...COMMON,
  Response: { task: 'Task?', message: 'Message?', statusUpdate: 'StatusUpdate?', artifactUpdate: 'ArtifactUpdate?' },
  Task: TASK,
  Message: { role: 'role', content: 'Part[]', ...IDS, ...CONTENT },
  StatusUpdate: { status: 'Status', final: 'flag', ...EVENT },
  ArtifactUpdate: { artifact: 'Artifact', append: 'flag?', lastChunk: 'flag?', ...EVENT },
  Part: { text: 'text?', file: 'File?', data: 'Data?', ...CONTENT },
  File: { fileWithBytes: 'text?', fileWithUri: 'text?', name: 'text?', mimeType: 'text?' },
  Data: { data: 'object' },
  Config: { name: 'text', pushNotificationConfig: 'Push' },
  Configs: { configs: 'Config[]?', nextPageToken: 'text?' },
};

const BY_KIND: Readonly<Record<string, string>> = {
  task: 'Task',
  message: 'Message',
  'status-update': 'StatusUpdate',
  'artifact-update': 'ArtifactUpdate',
  text: 'TextPart',
  file: 'FilePart',
  data: 'DataPart',
};

/** The faults of a result or an event in one model; empty when there are none. */
export function findFaults(model: 'schema' | 'proto', method: string, value: unknown): readonly string[] {
  if (method === 'GetExtendedAgentCard' || method === 'DeleteTaskPushNotificationConfig') return [];
  const find = model === 'schema' ? schemaFinder : protoFinder;
  if (method.includes('Push')) {
    if (!Array.isArray(value)) return find(method.startsWith('List') ? 'Configs' : 'Config', value, 'result');
    return value.flatMap((one, index) => find('Config', one, `result[${index}]`));
  }
  const isTask = method === 'GetTask' || method === 'CancelTask';
  return find(isTask ? 'Task' : model === 'schema' ? 'tagged' : 'Response', value, 'result');
}

const schemaFinder = finder(SCHEMA_SHAPES);
const protoFinder = finder(PROTO_SHAPES);

type Find = (type: string, value: unknown, path: string) => readonly string[];

function finder(shapes: Readonly<Record<string, Shape>>): Find {
  const findMembers = (shape: Shape, value: Members, path: string): readonly string[] => {
    const unknown = Object.keys(value).filter((name) => !Object.hasOwn(shape, name));
    return [
      ...unknown.map((name) => `${path}.${name} is not a member of 0.3`),
      ...Object.entries(shape).flatMap(([name, type]) => {
        if (value[name] === undefined) return type.endsWith('?') ? [] : [`${path}.${name} is missing`];
        return find(type.replace('?', ''), value[name], `${path}.${name}`);
      }),
    ];
  };
  const find: Find = (type, value, path) => {
    if (type.endsWith('[]')) {
      if (!Array.isArray(value)) return [`${path} is not a list`];
      return value.flatMap((item, index) => find(type.slice(0, -2), item, `${path}[${index}]`));
    }
    if (!/^[A-Z]|^tagged$/.test(type)) return isPrimitive(type, value) ? [] : [`${path} is not ${type}: ${JSON.stringify(value)}`];
    if (!isObject(value)) return [`${path} is not an object`];
    // Parts, results and events of the JSON schema are named by their tag.
    const shape = shapes[type] ?? shapes[BY_KIND[String(value.kind)] ?? ''];
    return shape === undefined ? [`${path} has no known kind: ${String(value.kind)}`] : findMembers(shape, value, path);
  };
  return find;
}

function isPrimitive(type: string, value: unknown): boolean {
  if (type.startsWith('=')) return value === type.slice(1);
  switch (type) {
    case 'text':
      return typeof value === 'string';
    case 'texts':
      return Array.isArray(value) && value.every((one) => typeof one === 'string');
    case 'flag':
      return typeof value === 'boolean';
    case 'object':
      return isObject(value);
    case 'role':
      return ['user', 'agent', 'ROLE_USER', 'ROLE_AGENT'].includes(String(value));
    case 'state':
      return STATES_OF_SCHEMA.has(String(value)) || /^TASK_STATE_(?!CANCELED$)[A-Z_]+$/.test(String(value));
    default:
      return false;
  }
}

/** The faults of the card with the members of both versions, as a reader of 0.3 sees it. */
export function findCardFaults(card: unknown): readonly string[] {
  if (!isObject(card)) return ['the card is not an object'];
  const { url, preferredTransport, protocolVersion, additionalInterfaces, security, securitySchemes = {}, skills } = card;
  const faults: string[] = [];
  if (typeof url !== 'string' || typeof preferredTransport !== 'string') faults.push('url and preferredTransport must be texts');
  if (protocolVersion !== '0.3.0') faults.push(`protocolVersion is ${String(protocolVersion)}`);
  if (!Array.isArray(additionalInterfaces) || !additionalInterfaces.some((one) => isObject(one) && one.url === url))
    faults.push('additionalInterfaces must contain the main address');
  const schemes = Object.entries(isObject(securitySchemes) ? securitySchemes : {});
  faults.push(...schemes.flatMap(([name, scheme]) => (isObject(scheme) && typeof scheme.type === 'string' ? [] : [`${name} has no type`])));
  const wrapped = [security, ...(Array.isArray(skills) ? skills.map((skill: Members) => skill.security) : [])]
    .flat()
    .filter((one) => isObject(one) && 'schemes' in one);
  if (wrapped.length > 0) faults.push('security is in the form of 1.0');
  return faults;
}
