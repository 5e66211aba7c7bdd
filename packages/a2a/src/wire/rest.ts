/** HTTP+JSON paths: the method table compiled into a route table. */
import { A2AError } from '../protocol/errors.js';
import { type HttpVerb, type MethodName, type RestRoute, ROUTES, type RouteTable } from '../protocol/methods.js';
import { detailsOf } from './error-details.js';
import { toJsonRpcError } from './jsonrpc.js';

export interface RestMatch {
  readonly method: MethodName;
  /** Whether the request is in the body; otherwise it is in the query. */
  readonly body: boolean;
  /** The decoded variables of the path, including `tenant` if the path has that prefix. */
  readonly variables: Readonly<Record<string, string>>;
}

/** `allow`: the verbs that the path supports; the request used another one. */
type RestRouting =
  | ({ readonly kind: 'match' } & RestMatch)
  | { readonly kind: 'wrong-verb'; readonly allow: readonly string[] }
  | { readonly kind: 'unknown' };

/** One segment of a route: literal text, or a variable with a required suffix such as `:cancel`. */
type Segment =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string; readonly suffix: string };

interface Route {
  readonly method: MethodName;
  readonly verb: HttpVerb;
  readonly body: boolean;
  readonly segments: readonly Segment[];
}

/** Finds the operation for a percent-encoded path. */
export type Router = (verb: string, path: string) => RestRouting;

/** A route table, compiled. */
interface Routes {
  readonly list: readonly Route[];
  /** Suffixes of variables, such as `:cancel`. `/tasks/7:cancel` is never the task "7:cancel": clients percent-encode a colon in an id. */
  readonly suffixes: readonly string[];
  readonly texts: ReadonlySet<string>;
  /** Every route also exists below `/{tenant}`. */
  readonly tenants: boolean;
}

/** Paths without a tenant take precedence: `/tasks/tasks` is the task "tasks". `tenants`: every route also exists below `/{tenant}`. */
export function createRouter(table: RouteTable, { tenants }: { readonly tenants: boolean }): Router {
  const list = (Object.entries(table) as [MethodName, readonly RestRoute[]][]).flatMap(([method, routes]) =>
    routes.map((route) => compile(method, route)),
  );
  const segments = list.flatMap((route) => route.segments);
  const routes: Routes = {
    list,
    suffixes: segments.flatMap((one) => (one.kind === 'variable' && one.suffix !== '' ? [one.suffix] : [])),
    texts: new Set(segments.flatMap((one) => (one.kind === 'text' ? [one.text] : []))),
    tenants,
  };
  // A path without variables is looked up by its text.
  const fixed = new Map(list.flatMap((route) => fixedPath(route)));
  return (verb, path) => fixed.get(`${verb} ${path}`) ?? matchPath(routes, verb, path);
}

function fixedPath({ method, verb, body, segments }: Route): readonly (readonly [string, RestRouting])[] {
  const texts = segments.flatMap((one) => (one.kind === 'text' ? [one.text] : []));
  if (texts.length < segments.length) return [];
  return [[`${verb} /${texts.join('/')}`, { kind: 'match', method, body, variables: Object.freeze({}) }]];
}

/** Finds the operation of 1.0 for a path. */
export const matchRoute = createRouter(ROUTES, { tenants: true });

function compile(method: MethodName, { verb, path, body }: RestRoute): Route {
  return { method, verb, body, segments: path.slice(1).split('/').map(toSegment) };
}

function toSegment(text: string): Segment {
  const match = /^\{(\w+)\}(.*)$/.exec(text);
  return match === null ? { kind: 'text', text } : { kind: 'variable', name: match[1] ?? '', suffix: match[2] ?? '' };
}

/**
 * The path as sent comes first: `GET /tasks/7%3Acancel` is the task "7:cancel". If it matches no operation, the client may have encoded
 * more than necessary (`/message%3Asend`).
 */
function matchPath(routes: Routes, verb: string, path: string): RestRouting {
  const parts = path.slice(1).split('/');
  if (parts.length > 1 && parts.at(-1) === '') parts.pop();
  const routing = matchParts(routes, verb, parts);
  if (routing.kind === 'match' || !path.includes('%')) return routing;
  const decoded = matchParts(
    routes,
    verb,
    parts.map((part) => decodeFixed(routes, part)),
  );
  return decoded.kind === 'unknown' ? routing : decoded;
}

/**
 * Decodes only the literal text of a route in a segment: the whole segment (`tasks`), or a suffix such as `:cancel`. The rest stays
 * encoded, because `%2F` is not a separator and a variable is decoded once.
 */
function decodeFixed({ texts, suffixes }: Routes, part: string): string {
  const text = decode(part);
  if (texts.has(text)) return text;
  const suffix = suffixes.find((one) => text.endsWith(one));
  return suffix === undefined ? part : encodeURIComponent(text.slice(0, -suffix.length)) + suffix;
}

function matchParts(routes: Routes, verb: string, parts: readonly string[]): RestRouting {
  const own = routes.list.filter((route) => fits(routes, route.segments, parts));
  const found = own.find((route) => route.verb === verb);
  if (found) return toMatch(found, parts);
  const [tenant = '', ...rest] = parts;
  const tenanted = tenant === '' || !routes.tenants ? [] : routes.list.filter((route) => fits(routes, route.segments, rest));
  const behind = tenanted.find((route) => route.verb === verb);
  if (behind) return toMatch(behind, rest, tenant);
  const allow = [...new Set([...own, ...tenanted].map((route) => route.verb))];
  return allow.length > 0 ? { kind: 'wrong-verb', allow } : { kind: 'unknown' };
}

function fits(routes: Routes, segments: readonly Segment[], parts: readonly string[]): boolean {
  return segments.length === parts.length && segments.every((segment, index) => fitsSegment(routes, segment, parts[index] ?? ''));
}

function fitsSegment({ suffixes }: Routes, segment: Segment, part: string): boolean {
  if (segment.kind === 'text') return part === segment.text;
  if (segment.suffix !== '') return part.length > segment.suffix.length && part.endsWith(segment.suffix);
  return part !== '' && !suffixes.some((suffix) => part.endsWith(suffix));
}

function toMatch({ method, body, segments }: Route, parts: readonly string[], tenant?: string): RestRouting {
  const variables: Record<string, string> = {};
  if (tenant !== undefined) variables.tenant = decode(tenant);
  segments.forEach((segment, index) => {
    if (segment.kind === 'text') return;
    const part = parts[index] ?? '';
    variables[segment.name] = decode(part.slice(0, part.length - segment.suffix.length));
  });
  return { kind: 'match', method, body, variables };
}

function decode(part: string): string {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    throw new A2AError('INVALID_PARAMS', 'The path is not percent-encoded UTF-8');
  }
}

/** The error body of HTTP+JSON: `code` is the HTTP status, `status` the name of the gRPC status. */
export function encodeRestError(error: A2AError, requestId?: string): string {
  const { httpStatus: code, status, message } = error;
  return JSON.stringify({ error: { code, status, message, details: detailsOf(error, requestId) } });
}

/** The same for peers that are older than the list of details: the error of JSON-RPC without an envelope. */
export function encodeObjectRestError(error: A2AError): string {
  return JSON.stringify(toJsonRpcError(error, { data: 'object' }));
}
