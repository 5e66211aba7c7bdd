/** The protocol version of a request. Only Major.Minor counts. */
import { A2AError } from './errors.js';

/** The protocol version that this library implements. */
export const PROTOCOL_VERSION = '1.0';
/** The HTTP header with the protocol version of a request. */
export const VERSION_HEADER = 'A2A-Version';

// The version of a request without the header, which did not exist in 0.3.
const VERSION_OF_SILENCE = '0.3';

// A patch number is allowed and ignored; no part has leading zeros.
const PATTERN = /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})(?:\.\d{1,9})?$/;

/** Major.Minor of a version text, `0.3` when there is none, undefined when it is not a version. */
export function parseVersion(text: string | undefined): string | undefined {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') return VERSION_OF_SILENCE;
  const match = PATTERN.exec(trimmed);
  return match === null ? undefined : `${match[1]}.${match[2]}`;
}

/** Whether a Major.Minor is 0.3, or a later version before 1.0. Messages of earlier versions differ. */
export function isV03(version: string | undefined): boolean {
  return version?.startsWith('0.') === true && Number(version.slice(2)) >= 3;
}

/** Returns the version to use for the request, as Major.Minor; throws VERSION_NOT_SUPPORTED when it is not in `served`. */
export function checkVersion(header: string | undefined, served: readonly string[]): string {
  const version = parseVersion(header);
  if (version !== undefined && served.includes(version)) return version;
  throw new A2AError('VERSION_NOT_SUPPORTED', complaint(header, served), { metadata: { supportedVersions: served.join(',') } });
}

function complaint(header: string | undefined, served: readonly string[]): string {
  const list = served.join(', ');
  // A missing header is the most common mistake of new callers, so the error contains the line to add.
  if (header === undefined || header.trim() === '') {
    const line = `${VERSION_HEADER}: ${served.at(-1) ?? PROTOCOL_VERSION}`;
    return `A request without a version counts as ${VERSION_OF_SILENCE}, but this agent supports only ${list}; add the header "${line}"`;
  }
  return `Protocol version ${JSON.stringify(header.slice(0, 32))} is not supported; this agent supports only ${list}`;
}
