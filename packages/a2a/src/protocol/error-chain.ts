/** A failure that came through several agents: its hops, and how they travel. */

import { cutText } from './cut-text.js';
import { isObject } from './is-object.js';

/** One hop of a failure that came through several agents. */
export interface ErrorLink {
  /** The agent that passed the failure on. */
  readonly currentAgent: string;
  /** The agent that it had called. */
  readonly downstreamAgent: string;
  /** What that agent said, or what happened on the way to it. */
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

/** The hops that may travel: the outermost, as many as the limits leave, their texts cut and their URLs without secrets. */
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

/** How an agent is called in a chain: short, and a URL without user-info, query and fragment. */
export function agentName(name: string): string {
  return cutText(withoutSecrets(name), MAX_NAME);
}

// Bounded before it is searched, so that a hostile text costs no more than a long one.
const MAX_SEARCHED = 2000;
const URLS = /\b([a-z][a-z0-9+.-]{0,30}:\/\/)([^\s/?#"'<>]*@)?([^\s?#"'<>]*)([?#][^\s"'<>]*)?/gi;

// Where the text was cut inside a host's name, what stands there may be a password whose @ is gone.
const CUT_OFF = /(:\/\/)[^\s/?#]*$/;

/** The text with user-info, query and fragment taken out of its URLs: keys travel there. */
function withoutSecrets(text: string): string {
  const searched = text.length > MAX_SEARCHED ? text.slice(0, MAX_SEARCHED).replace(CUT_OFF, '$1') : text;
  return searched.replace(URLS, '$1$3');
}

/** The chain as one nested object, which is how it travels; undefined for an empty one. */
export function nestChain(links: readonly ErrorLink[]): NestedLink | undefined {
  return links.reduceRight<NestedLink | undefined>(
    (next, link) => ({ ...link, downstreamError: { ...link.downstreamError, ...(next !== undefined && { data: next }) } }),
    undefined,
  );
}

/** Reads a chain that a peer sent, nested or as a list, as far as it makes sense and the limits allow. Never throws for what JSON can hold. */
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

/** Peers that pass on a whole error have the next hop among its details. */
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
  const link = {
    currentAgent,
    downstreamAgent,
    downstreamError: {
      code: typeof code === 'number' && Number.isFinite(code) ? code : 0,
      reason: typeof reason === 'string' ? reason : 'UNKNOWN',
      message: typeof message === 'string' ? message : '',
    },
    retryable: retryable === true,
    ...(isSeconds(retryAfter) && { retryAfter }),
  };
  return { link, next: data };
}

function isSeconds(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function sizeOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}
