/** Converts errors of SQLite to our messages. The original text may contain paths, so it is kept only as the cause. */
import { A2AError, isA2AError } from '../../protocol/errors.js';

const BUSY = 5;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;

const WORDS: Readonly<Record<number, string>> = {
  [BUSY]: 'another program is writing to it',
  [READONLY]: 'it cannot be written',
  [IOERR]: 'its disk failed',
  [CORRUPT]: 'it is damaged',
  [FULL]: 'its disk is full',
  [CANTOPEN]: 'it cannot be opened',
  [NOTADB]: 'it is not a SQLite database',
};

/** Error codes of Node for an invalid path. */
const PATH_CODES = ['EACCES', 'EEXIST', 'EINVAL', 'EISDIR', 'ELOOP', 'ENAMETOOLONG', 'ENOENT', 'ENOTDIR', 'EPERM', 'EROFS'];

/** Error codes of Node for a disk without space. */
const SPACE_CODES = ['ENOSPC', 'EDQUOT'];

export const isBusy = (thrown: unknown): boolean => resultCode(thrown) === BUSY;

/** The disk has no space left, or the user may not use more of it. */
export function isOutOfSpace(thrown: unknown): boolean {
  return resultCode(thrown) === FULL || SPACE_CODES.includes(systemCode(thrown) ?? '');
}

/** SQLite reports these when it cannot create or enlarge one of its files, also when the reason is a full disk. */
export function mayBeOutOfSpace(thrown: unknown): boolean {
  const code = resultCode(thrown);
  return code === IOERR || code === CANTOPEN;
}

export function isDamaged(thrown: unknown): boolean {
  const code = resultCode(thrown);
  return code === NOTADB || code === CORRUPT;
}

/** Whether the user can fix the error with another file or other permissions. */
export function isWrongFile(thrown: unknown): boolean {
  const code = resultCode(thrown);
  return code === NOTADB || code === READONLY || code === CANTOPEN || PATH_CODES.includes(systemCode(thrown) ?? '');
}

/** After an I/O error, a restart may or may not find the writes; after every other error nothing was written. */
export const isOutcomeUnknown = (thrown: unknown): boolean => resultCode(thrown) === IOERR;

/** Describes the problem with the file. */
export function toWords(thrown: unknown): string {
  if (isOutOfSpace(thrown)) return WORDS[FULL] ?? '';
  const code = systemCode(thrown);
  return WORDS[resultCode(thrown) ?? 0] ?? (code === undefined ? 'it failed' : `system error ${code}`);
}

export function toUnavailable(thrown: unknown): A2AError {
  if (isA2AError(thrown)) return thrown;
  return new A2AError('AGENT_UNAVAILABLE', `The file of the store is currently unavailable: ${toWords(thrown)}`, { cause: thrown });
}

/** The primary result code of SQLite: the lowest byte of an extended code. */
function resultCode(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error) || !('rawCode' in thrown) || typeof thrown.rawCode !== 'number') return undefined;
  return thrown.rawCode & 0xff;
}

function systemCode(thrown: unknown): string | undefined {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  return typeof code === 'string' && /^E[A-Z]+$/.test(code) ? code : undefined;
}
