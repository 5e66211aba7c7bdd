/** Reads the details of a peer's error: a list of typed details as in A2A 1.0, or one object as in older versions. */

import { cutText } from '../protocol/cut-text.js';
import { type ErrorLink, readChain } from '../protocol/error-chain.js';
import type { ErrorDetail, FieldViolation, OtherDetail } from '../protocol/errors.js';
import { isObject, type Members } from '../protocol/is-object.js';

export interface PeerDetails {
  readonly reason: string | undefined;
  readonly domain: string | undefined;
  readonly metadata: Readonly<Record<string, string>>;
  /** undefined: the peer did not state it. */
  readonly retryable: boolean | undefined;
  readonly retryAfterMs: number | undefined;
  readonly violations: readonly FieldViolation[];
  readonly chain: readonly ErrorLink[];
  readonly details: readonly ErrorDetail[];
}

const MAX_ENTRIES = 64;
const MAX_CHARACTERS = 65_536;
const MAX_TEXT = 1000;
const STRUCT = 'type.googleapis.com/google.protobuf.Struct';
const VALUE = 'type.googleapis.com/google.protobuf.Value';

/** Reads `data` or `details` of any shape. */
export function readDetails(data: unknown): PeerDetails {
  const details = boundDetails(data);
  const info = details.find((one) => isType(one, 'google.rpc.ErrorInfo') && typeof one.reason === 'string');
  const plain = isObject(data) ? data : undefined;
  const said = isObject(info?.metadata) ? info.metadata : {};
  const chain = details.map(({ value }) => readChain(value)).find(({ length }) => length > 0) ?? [];
  return {
    reason: toText(info?.reason ?? plain?.reason),
    domain: toText(info?.domain),
    metadata: { ...toMetadata(said), ...(typeof plain?.detail === 'string' && { detail: cutText(plain.detail, MAX_TEXT) }) },
    retryable: toFlag(said.retryable) ?? toFlag(plain?.retryable),
    // An agent may state only that a retry helps, and pass on the hint of the agent behind it.
    retryAfterMs: retryDelay(details) ?? secondsToMs(plain?.retryAfter ?? (plain?.retryable === true ? chain[0]?.retryAfter : undefined)),
    violations: details
      .filter((one) => isType(one, 'google.rpc.BadRequest'))
      .flatMap(toViolations)
      .slice(0, MAX_ENTRIES),
    chain,
    details,
  };
}

/** The details as a list of typed entries, within the limits. An entry without a type is kept as a Struct or Value. */
function boundDetails(data: unknown): readonly OtherDetail[] {
  if (data === undefined || data === null) return [];
  const kept: OtherDetail[] = [];
  let characters = 0;
  for (const one of (Array.isArray(data) ? data : [data]).slice(0, MAX_ENTRIES)) {
    const detail = toDetail(one);
    characters += JSON.stringify(detail).length;
    if (characters > MAX_CHARACTERS) break;
    kept.push(detail);
  }
  return kept;
}

function toDetail(value: unknown): OtherDetail {
  if (!isObject(value)) return { '@type': VALUE, value };
  const type = value['@type'];
  return typeof type === 'string' ? { ...value, '@type': type } : { '@type': STRUCT, value };
}

// Peers write the type with and without the host prefix.
function isType(detail: OtherDetail, name: string): boolean {
  return detail['@type'] === name || detail['@type'].endsWith(`/${name}`);
}

function toMetadata(said: Members): Record<string, string> {
  const entries = Object.entries(said).filter(([name, value]) => name !== 'retryable' && isScalar(value));
  return Object.fromEntries(
    entries.slice(0, MAX_ENTRIES).map(([name, value]) => [cutText(name, MAX_TEXT), cutText(String(value), MAX_TEXT)]),
  );
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function toViolations({ fieldViolations }: OtherDetail): readonly FieldViolation[] {
  if (!Array.isArray(fieldViolations)) return [];
  return fieldViolations.slice(0, MAX_ENTRIES).flatMap((one: unknown) => {
    if (!isObject(one) || typeof one.field !== 'string') return [];
    const description = typeof one.description === 'string' ? one.description : 'is not valid';
    return [{ field: cutText(one.field, MAX_TEXT), description: cutText(description, MAX_TEXT) }];
  });
}

function retryDelay(details: readonly OtherDetail[]): number | undefined {
  for (const one of details) {
    const delayMs = isType(one, 'google.rpc.RetryInfo') ? durationToMs(one.retryDelay) : undefined;
    if (delayMs !== undefined) return delayMs;
  }
  return undefined;
}

/** `"1.5s"`, or the Duration message itself, as some peers send it. */
function durationToMs(value: unknown): number | undefined {
  if (isObject(value)) return secondsToMs(Number(value.seconds ?? 0) + Number(value.nanos ?? 0) / 1e9);
  const match = typeof value === 'string' ? /^(\d{1,12}(?:\.\d{1,9})?)s$/.exec(value) : null;
  return match === null ? undefined : secondsToMs(Number(match[1]));
}

function secondsToMs(value: unknown): number | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) return undefined;
  return Math.min(Math.round(value * 1000), Number.MAX_SAFE_INTEGER);
}

function toFlag(value: unknown): boolean | undefined {
  if (value === true || value === 'true') return true;
  return value === false || value === 'false' ? false : undefined;
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? cutText(value, MAX_TEXT) : undefined;
}
