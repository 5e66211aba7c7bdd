/** Checks, compares, merges and applies credential material. The values are secrets: no message in this file quotes one. */
import { A2AError } from '../../protocol/errors.js';
import type { ClientCall } from '../call.js';
import type { AuthMaterial } from './credentials.js';

type Members = Readonly<Record<string, string>>;

/** Material with all members present and header names in lower case. */
export interface CheckedMaterial {
  readonly headers: Members;
  readonly query: Members;
  readonly cookies: Members;
}

export const NO_MATERIAL: CheckedMaterial = { headers: {}, query: {}, cookies: {} };

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]+$/;
const COOKIE_VALUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+$/;

/**
 * Rejects values that a header or cookie cannot carry. Without this check the platform would reject them with a message that quotes the
 * secret.
 */
export function checkMaterial(material: AuthMaterial | undefined): CheckedMaterial {
  // Untyped callers may pass null.
  if (!material) return NO_MATERIAL;
  const { headers = {}, query = {}, cookies = {} } = material;
  checkMembers(headers, 'header', HEADER_VALUE);
  checkMembers(cookies, 'cookie', COOKIE_VALUE);
  for (const [name, value] of Object.entries(query)) {
    if (name === '' || typeof value !== 'string' || value === '') throw unusable('query parameter', name);
  }
  return { headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])), query, cookies };
}

/** Merges both. Throws if both contain the same name with different values, since they cannot be sent together. */
export function joinMaterial(one: CheckedMaterial, other: CheckedMaterial): CheckedMaterial {
  return {
    headers: joinMembers(one.headers, other.headers, 'header'),
    query: joinMembers(one.query, other.query, 'query parameter'),
    cookies: joinMembers(one.cookies, other.cookies, 'cookie'),
  };
}

export function sameMaterial(one: CheckedMaterial, other: CheckedMaterial): boolean {
  return sameMembers(one.headers, other.headers) && sameMembers(one.query, other.query) && sameMembers(one.cookies, other.cookies);
}

/** Returns true if `whole` contains all of `part`. Several credentials may be refused together; each recognizes its own material. */
export function holdsMaterial(whole: CheckedMaterial, part: CheckedMaterial): boolean {
  return sameMaterial(part, {
    headers: pick(whole.headers, part.headers),
    query: pick(whole.query, part.query),
    cookies: pick(whole.cookies, part.cookies),
  });
}

export function isEmpty(material: CheckedMaterial): boolean {
  return sameMaterial(material, NO_MATERIAL);
}

/** Returns the call with the material applied. Headers that the caller set win. */
export function withMaterial(call: ClientCall, { headers, query, cookies }: CheckedMaterial): ClientCall {
  const cookie = [call.headers.cookie ?? headers.cookie, ...Object.entries(cookies).map(([name, value]) => `${name}=${value}`)].filter(
    (each) => each,
  );
  return {
    ...call,
    headers: { ...headers, ...call.headers, ...(cookie.length > 0 && { cookie: cookie.join('; ') }) },
    ...(Object.keys(query).length > 0 && { query: { ...call.query, ...query } }),
  };
}

/** Removes the headers that the caller overrides: the peer never saw them, so it cannot have refused them. */
export function withoutOverridden(material: CheckedMaterial, call: ClientCall): CheckedMaterial {
  const headers = Object.entries(material.headers).filter(([name]) => !Object.hasOwn(call.headers, name));
  return { ...material, headers: Object.fromEntries(headers) };
}

function checkMembers(members: Members, place: string, pattern: RegExp): void {
  for (const [name, value] of Object.entries(members)) {
    if (!TOKEN.test(name) || typeof value !== 'string' || !pattern.test(value)) throw unusable(place, name);
  }
}

function joinMembers(one: Members, other: Members, place: string): Members {
  for (const [name, value] of Object.entries(other)) {
    if (Object.hasOwn(one, name) && one[name] !== value) {
      throw new A2AError('INVALID_REQUEST', `Two required credentials both set the ${place} ${name}`);
    }
  }
  return { ...one, ...other };
}

function sameMembers(one: Members, other: Members): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => Object.hasOwn(other, name) && one[name] === other[name]);
}

function pick(members: Members, like: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([name]) => Object.hasOwn(like, name)));
}

function unusable(place: string, name: string): A2AError {
  // The name may be a secret in the wrong place, so it is shown only if it looks like a name.
  const shown = TOKEN.test(name) && name.length <= 64 ? ` ${name}` : '';
  return new A2AError('INVALID_PARAMS', `The credentials for the ${place}${shown} are empty or contain characters that it cannot carry`);
}
