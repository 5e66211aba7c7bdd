/** What SQLite says, in our words. Its own text may hold paths and stays inside, as the cause. */
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
  [READONLY]: 'it can not be written',
  [IOERR]: 'its disk failed',
  [CORRUPT]: 'it is damaged',
  [FULL]: 'its disk is full',
  [CANTOPEN]: 'it can not be opened',
  [NOTADB]: 'it is not a SQLite database',
};

/** What Node says when a path is no good. */
const PATH_CODES = ['EACCES', 'EEXIST', 'EINVAL', 'EISDIR', 'ELOOP', 'ENAMETOOLONG', 'ENOENT', 'ENOTDIR', 'EPERM', 'EROFS'];

export const isBusy = (thrown: unknown): boolean => resultCode(thrown) === BUSY;

export function isDamaged(thrown: unknown): boolean {
  const code = resultCode(thrown);
  return code === NOTADB || code === CORRUPT;
}

/** Whether its user can mend it by naming another file or by changing permissions. */
export function isWrongFile(thrown: unknown): boolean {
  const code = resultCode(thrown);
  return code === NOTADB || code === READONLY || code === CANTOPEN || PATH_CODES.includes(systemCode(thrown) ?? '');
}

/** After an error of the disk a restart may or may not find the writes; after every other error nothing was written. */
export const isOutcomeUnknown = (thrown: unknown): boolean => resultCode(thrown) === IOERR;

/** What is the matter with the file. */
export function toWords(thrown: unknown): string {
  const code = systemCode(thrown);
  return WORDS[resultCode(thrown) ?? 0] ?? (code === undefined ? 'it failed' : `the system says ${code}`);
}

export function toUnavailable(thrown: unknown): A2AError {
  if (isA2AError(thrown)) return thrown;
  return new A2AError('AGENT_UNAVAILABLE', `The file of the store does not serve at the moment: ${toWords(thrown)}`, { cause: thrown });
}

/** The primary result code of SQLite; extended codes keep it in their lowest byte. */
function resultCode(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error) || !('rawCode' in thrown) || typeof thrown.rawCode !== 'number') return undefined;
  return thrown.rawCode & 0xff;
}

function systemCode(thrown: unknown): string | undefined {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  return typeof code === 'string' && /^E[A-Z]+$/.test(code) ? code : undefined;
}
