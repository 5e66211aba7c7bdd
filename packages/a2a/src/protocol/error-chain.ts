/** A failure that came through several agents: its hops, and their wire format. */

import { cutText } from './cut-text.js';
import { isObject } from './is-object.js';

/** One hop of a failure that came through several agents. */
export interface ErrorLink {
  /** The agent that passed on the failure. */
  readonly currentAgent: string;
  /** The agent that it called. */
  readonly downstreamAgent: string;
  /** The error of that agent, or of the connection to it. */
  readonly downstreamError: { readonly code: number; readonly reason: string; readonly message: string };
  readonly retryable: boolean;
  /** Seconds. */
  readonly retryAfter?: number;
}

/** A hop as JSON: `downstreamError` is shaped like a JSON-RPC error, and its `data` is the next hop. */
export interface NestedLink extends Omit<ErrorLink, 'downstreamError'> {
  readonly downstreamError: ErrorLink['downstreamError'] & { readonly data?: NestedLink };
}

const MAX_LEVELS = 8;
const MAX_BYTES = 16_384;
const MAX_DETAILS = 64;
const MAX_NAME = 200;
const MAX_MESSAGE = 500;

/** The hops that are sent: the outermost ones within the limits, with shortened texts and without secrets in URLs. */
export function boundChain(links: readonly ErrorLink[]): readonly ErrorLink[] {
  const bounded = links.slice(0, MAX_LEVELS).map(boundLink);
  while (bounded.length > 0 && sizeOf(nestChain(bounded)) > MAX_BYTES) bounded.pop();
  return bounded;
}

function boundLink({ currentAgent, downstreamAgent, downstreamError, retryable, retryAfter }: ErrorLink): ErrorLink {
  const { code, reason, message } = downstreamError;
  return {
    currentAgent: agentName(currentAgent),
    downstreamAgent: agentName(downstreamAgent),
    downstreamError: { code, reason: cutText(reason, MAX_NAME), message: cutText(withoutSecrets(message), MAX_MESSAGE) },
    retryable,
    ...(retryAfter !== undefined && { retryAfter }),
  };
}

/** The name of an agent in a chain: shortened, and a URL without user-info, query and fragment. */
export function agentName(name: string): string {
  return cutText(withoutSecrets(name), MAX_NAME);
}

// Cut before the search, to limit the cost of a hostile text.
const MAX_SEARCHED = 2000;
const URLS = /\b([a-z][a-z0-9+.-]{0,30}:\/\/)([^\s/?#"'<>]*@)?([^\s?#"'<>]*)([?#][^\s"'<>]*)?/gi;

// If the text was cut inside a host name, the rest may be a password whose @ was cut off.
const CUT_OFF = /(:\/\/)[^\s/?#]*$/;

/** Removes user-info, query and fragment from the URLs in a text, because they may contain keys. */
function withoutSecrets(text: string): string {
  const searched = text.length > MAX_SEARCHED ? text.slice(0, MAX_SEARCHED).replace(CUT_OFF, '$1') : text;
  return searched.replace(URLS, '$1$3');
}

/** The chain as one nested object, which is its wire format; undefined for an empty one. */
export function nestChain(links: readonly ErrorLink[]): NestedLink | undefined {
  return links.reduceRight<NestedLink | undefined>(
    (next, link) => ({ ...link, downstreamError: { ...link.downstreamError, ...(next !== undefined && { data: next }) } }),
    undefined,
  );
}

/** Reads a chain that a peer sent, nested or as a list, up to the first invalid hop and within the limits. Never throws for JSON values. */
export function readChain(value: unknown): readonly ErrorLink[] {
  if (Array.isArray(value)) return boundChain(readList(value));
  const links: ErrorLink[] = [];
  let next: unknown = value;
  while (links.length < MAX_LEVELS) {
    const read = readLink(next);
    if (read === undefined) break;
    links.push(read.link);
    next = Array.isArray(read.next) ? hopAmong(read.next) : read.next;
  }
  return boundChain(links);
}

/** Some peers pass on a whole error; then the next hop is among its details. */
function hopAmong(details: readonly unknown[]): unknown {
  return details.slice(0, MAX_DETAILS).flatMap((detail) => (isObject(detail) && readLink(detail.value) ? [detail.value] : []))[0];
}

function readList(values: readonly unknown[]): readonly ErrorLink[] {
  const links = values.slice(0, MAX_LEVELS).map((value) => readLink(value)?.link);
  const end = links.indexOf(undefined);
  return links.slice(0, end === -1 ? links.length : end).filter((link) => link !== undefined);
}

function readLink(value: unknown): { readonly link: ErrorLink; readonly next: unknown } | undefined {
  if (!isObject(value) || !isObject(value.downstreamError)) return undefined;
  const { currentAgent, downstreamAgent, retryable, retryAfter, downstreamError } = value;
  if (typeof currentAgent !== 'string' || typeof downstreamAgent !== 'string') return undefined;
  const { code, reason, message, data } = downstreamError;
  // Agents of the plain dialect state it in the data of the error itself, which is otherwise the next hop.
  const hint = retryAfter ?? (isObject(data) && data.downstreamError === undefined && data.retryAfter);
  const link = {
    currentAgent,
    downstreamAgent,
    downstreamError: {
      code: typeof code === 'number' && Number.isFinite(code) ? code : 0,
      reason: typeof reason === 'string' ? reason : 'UNKNOWN',
      message: typeof message === 'string' ? message : '',
    },
    retryable: retryable === true,
    ...(isSeconds(hint) && { retryAfter: hint }),
  };
  return { link, next: data };
}

function isSeconds(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function sizeOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}
