/** Converts query parameters of HTTP+JSON to request members. */
import { A2AError, type FieldViolation } from '../protocol/errors.js';
import type { MethodName, RequestOf } from '../protocol/methods.js';

type Bodiless = Exclude<MethodName, 'SendMessage' | 'SendStreamingMessage' | 'CancelTask' | 'CreateTaskPushNotificationConfig'>;
type MemberOf<T> = T extends unknown ? keyof T : never;
type QueryName = Exclude<MemberOf<RequestOf<Bodiless>>, 'id' | 'taskId'>;

/** The type makes the list complete: a new request member that can be in the query must be added here. */
const KINDS: Readonly<Record<QueryName, 'text' | 'integer' | 'boolean'>> = {
  tenant: 'text',
  contextId: 'text',
  status: 'text',
  pageSize: 'integer',
  pageToken: 'text',
  historyLength: 'integer',
  statusTimestampAfter: 'text',
  includeArtifacts: 'boolean',
};

const NAMES = Object.keys(KINDS) as QueryName[];

/**
 * Reads known parameters and ignores the others; camelCase takes precedence over snake_case. A value of a wrong type stays text, so that
 * the check of the parameters names it.
 */
export function decodeQuery(query: string): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  if (query === '') return members;
  const given = new URLSearchParams(query);
  const repeated: FieldViolation[] = [];
  for (const name of NAMES) {
    const texts = given.has(name) ? given.getAll(name) : given.getAll(toSnake(name));
    if (texts.length > 1) repeated.push({ field: name, description: `must be given once, but is given ${texts.length} times` });
    const [text] = texts;
    if (text !== undefined) members[name] = toValue(name, text);
  }
  if (repeated.length > 0) throw refuse(repeated);
  return members;
}

function toSnake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function toValue(name: QueryName, text: string): unknown {
  if (KINDS[name] === 'integer' && /^-?\d{1,10}$/.test(text)) return Number(text);
  if (KINDS[name] === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function refuse(violations: readonly FieldViolation[]): A2AError {
  const sentence = violations.map(({ field, description }) => `${field} ${description}`).join('; ');
  return new A2AError('INVALID_PARAMS', `Invalid parameters: ${sentence}`, { violations });
}
