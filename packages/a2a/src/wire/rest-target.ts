/** The way to an HTTP+JSON server: where a request of the method table goes, and what of it travels in the path, the query and the body. */

import { A2AError } from '../protocol/errors.js';
import type { Members } from '../protocol/is-object.js';
import { type HttpVerb, METHODS, type MethodName, type MethodRow } from '../protocol/methods.js';

export interface RestTarget {
  readonly verb: HttpVerb;
  readonly url: string;
  /** JSON; absent where the request has no body. */
  readonly body: string | undefined;
}

export interface RestRequest {
  readonly method: MethodName;
  readonly params: object;
  /** The URL of the interface. */
  readonly base: string;
  readonly tenant?: string | undefined;
  /** Which route of the method: 0 is the one to send to first. Default 0. */
  readonly route?: number;
}

interface Route {
  readonly verb: HttpVerb;
  /** Fixed text in the places with an even number, names of members in the others. */
  readonly pieces: readonly string[];
  readonly body: boolean;
}

// Path members that are sent in the body as well: some servers look for taskId only there.
const REPEATED_IN_BODY: ReadonlySet<MethodName> = new Set<MethodName>(['CreateTaskPushNotificationConfig']);

const ROUTES: ReadonlyMap<MethodName, readonly Route[]> = new Map(
  // Object.entries widens the keys; they are the table's own.
  (Object.entries(METHODS) as [MethodName, MethodRow][]).map(([method, { routes }]) => [
    method,
    routes.map(({ verb, path, body }) => ({ verb, body, pieces: path.split(/[{}]/) })),
  ]),
);

/** Throws INVALID_PARAMS when a member that the path needs is missing or can not stand in a path. */
export function toRestTarget({ method, params, base, tenant, route = 0 }: RestRequest): RestTarget {
  const found = ROUTES.get(method)?.[route];
  if (found === undefined) throw new A2AError('METHOD_NOT_FOUND', `HTTP+JSON has no path for ${method}`);
  const { verb, pieces, body } = found;
  // A request is a plain object of JSON members.
  const members = params as Members;
  const path = pieces.map((piece, index) => (index % 2 === 0 ? piece : toSegment(piece, members[piece]))).join('');
  const prefix = tenant === undefined || tenant === '' ? '' : `/${toSegment('tenant', tenant)}`;
  if (!body) return { verb, url: join(base, prefix + path, queryOf(members, pieces)), body: undefined };
  const kept = REPEATED_IN_BODY.has(method) ? [] : pieces;
  return { verb, url: join(base, prefix + path, ''), body: JSON.stringify(without(members, kept)) };
}

/** The path goes between the address and a query that it may have. */
function join(base: string, path: string, query: string): string {
  const mark = base.indexOf('?');
  const address = mark < 0 ? base : base.slice(0, mark);
  const all = [mark < 0 ? '' : base.slice(mark + 1), query].filter((one) => one !== '').join('&');
  return `${address.endsWith('/') ? address.slice(0, -1) : address}${path}${all === '' ? '' : `?${all}`}`;
}

/** One segment of a path. A single or double dot would be taken for a step up, however it is encoded. */
function toSegment(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '' || value === '.' || value === '..') throw unfit(name);
  try {
    return encodeURIComponent(value);
  } catch {
    throw unfit(name);
  }
}

function unfit(field: string): A2AError {
  const description = 'must be a text that can stand in a path';
  return new A2AError('INVALID_PARAMS', `Invalid parameters: ${field} ${description}`, { violations: [{ field, description }] });
}

/** camelCase, enums by name, as the specification has it. */
function queryOf(members: Members, pieces: readonly string[]): string {
  let query = '';
  for (const [name, value] of Object.entries(members)) {
    if (name === 'tenant' || value === undefined || value === null || isInPath(name, pieces)) continue;
    query += `${query === '' ? '' : '&'}${name}=${encodeURIComponent(String(value))}`;
  }
  return query;
}

/** The request itself where nothing has to go, which is most often so. */
function without(members: Members, pieces: readonly string[]): Members {
  if (members.tenant === undefined && pieces.length < 2) return members;
  return Object.fromEntries(Object.entries(members).filter(([name]) => name !== 'tenant' && !isInPath(name, pieces)));
}

function isInPath(name: string, pieces: readonly string[]): boolean {
  const at = pieces.indexOf(name);
  return at >= 0 && at % 2 === 1;
}
