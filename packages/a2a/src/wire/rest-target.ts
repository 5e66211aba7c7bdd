/** Builds an HTTP+JSON request from the method table: verb and URL, and the split of members into path, query and body. */

import { A2AError } from '../protocol/errors.js';
import type { Members } from '../protocol/is-object.js';
import { type HttpVerb, type MethodName, type RestRoute, ROUTES, type RouteTable } from '../protocol/methods.js';

export interface RestTarget {
  readonly verb: HttpVerb;
  readonly url: string;
  /** JSON; absent if the request has no body. */
  readonly body: string | undefined;
}

export interface RestRequest {
  readonly method: MethodName;
  readonly params: object;
  /** The URL of the interface. */
  readonly base: string;
  readonly tenant?: string | undefined;
  /** The index of the method's route; the first one is preferred. Default 0. */
  readonly route?: number;
  /** Sent as the body, if the route has one. Default: the members of `params` that are not in the path. */
  readonly content?: unknown;
}

/** Builds the requests of one route table. */
export type ToRestTarget = (request: RestRequest) => RestTarget;

interface Route {
  readonly verb: HttpVerb;
  /** Literal text at even indexes, member names at odd indexes. */
  readonly pieces: readonly string[];
  readonly body: boolean;
}

// Path members that are also sent in the body: some servers read taskId only there.
const REPEATED_IN_BODY: ReadonlySet<MethodName> = new Set<MethodName>(['CreateTaskPushNotificationConfig']);

/** Requests for the routes of this table. */
export function createTargets(table: RouteTable): ToRestTarget {
  const routes = new Map(
    // `Object.entries` widens the keys; they are the table's own.
    (Object.entries(table) as [MethodName, readonly RestRoute[]][]).map(([method, rows]): [MethodName, readonly Route[]] => [
      method,
      rows.map(({ verb, path, body }) => ({ verb, body, pieces: path.split(/[{}]/) })),
    ]),
  );
  return (request) => toTarget(routes.get(request.method)?.[request.route ?? 0], request);
}

/** Builds a request of 1.0. */
export const toRestTarget = createTargets(ROUTES);

/** Throws INVALID_PARAMS when a member that the path needs is missing or cannot be part of a path. */
function toTarget(found: Route | undefined, { method, params, base, tenant, content }: RestRequest): RestTarget {
  if (found === undefined) throw new A2AError('METHOD_NOT_FOUND', `HTTP+JSON has no path for ${method}`);
  const { verb, pieces, body } = found;
  // A request is a plain object of JSON members.
  const members = params as Members;
  const path = pieces.map((piece, index) => (index % 2 === 0 ? piece : toSegment(piece, members[piece]))).join('');
  const prefix = tenant === undefined || tenant === '' ? '' : `/${toSegment('tenant', tenant)}`;
  if (!body) return { verb, url: join(base, prefix + path, queryOf(members, pieces)), body: undefined };
  if (content !== undefined) return { verb, url: join(base, prefix + path, ''), body: JSON.stringify(content) };
  const kept = REPEATED_IN_BODY.has(method) ? [] : pieces;
  return { verb, url: join(base, prefix + path, ''), body: JSON.stringify(without(members, kept)) };
}

/** Inserts the path between the address and its query, if it has one. */
function join(base: string, path: string, query: string): string {
  const mark = base.indexOf('?');
  const address = mark < 0 ? base : base.slice(0, mark);
  const all = [mark < 0 ? '' : base.slice(mark + 1), query].filter((one) => one !== '').join('&');
  return `${address.endsWith('/') ? address.slice(0, -1) : address}${path}${all === '' ? '' : `?${all}`}`;
}

/** One path segment. A single or double dot would be resolved as a relative path, even if encoded. */
function toSegment(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '' || value === '.' || value === '..') throw unfit(name);
  try {
    return encodeURIComponent(value);
  } catch {
    throw unfit(name);
  }
}

function unfit(field: string): A2AError {
  const description = 'must be a string that can be part of a path';
  return new A2AError('INVALID_PARAMS', `Invalid parameters: ${field} ${description}`, { violations: [{ field, description }] });
}

/** camelCase names, and enums by name, as in the specification. */
function queryOf(members: Members, pieces: readonly string[]): string {
  let query = '';
  for (const [name, value] of Object.entries(members)) {
    if (name === 'tenant' || value === undefined || value === null || isInPath(name, pieces)) continue;
    query += `${query === '' ? '' : '&'}${name}=${encodeURIComponent(String(value))}`;
  }
  return query;
}

/** Returns the request itself if nothing has to be removed, which is the common case. */
function without(members: Members, pieces: readonly string[]): Members {
  if (members.tenant === undefined && pieces.length < 2) return members;
  return Object.fromEntries(Object.entries(members).filter(([name]) => name !== 'tenant' && !isInPath(name, pieces)));
}

function isInPath(name: string, pieces: readonly string[]): boolean {
  const at = pieces.indexOf(name);
  return at >= 0 && at % 2 === 1;
}
