/**
 * Copies the database while it is in use (D60). SQLite writes the copy from one consistent read, on a thread of the driver with its own
 * connection, so neither the event loop nor the writers wait. The copy gets its name only when it is complete and on disk.
 */
import { constants } from 'node:fs';
import { access, chmod, link, open, rename, unlink } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { A2AError, isA2AError } from '../../protocol/errors.js';
import { toWords } from './failure.js';
import { connectBeside } from './second-connection.js';

/** `file` is the path of the database, `target` that of the copy. */
export async function backUp(file: string, target: string): Promise<void> {
  if (typeof target !== 'string' || target === '' || target.includes('\0')) {
    throw new A2AError('INVALID_PARAMS', `backup() needs the path of a new file, got ${JSON.stringify(target)}`);
  }
  const path = resolve(target);
  const partial = `${path}.partial-${crypto.randomUUID()}`;
  try {
    await checkNew(path);
    await writeCopy(file, partial);
    await publish(partial, path);
  } catch (error) {
    throw toBackupError(target, error);
  } finally {
    await unlink(partial).catch(() => {}); // it was not created
  }
}

async function checkNew(path: string): Promise<void> {
  const isNew = await access(path, constants.F_OK).then(
    () => false,
    () => true,
  );
  if (!isNew) throw alreadyThere();
}

/** SQLite fills an empty file, so the file has its permissions before it has content: only the owner may read what users say. */
async function writeCopy(file: string, partial: string): Promise<void> {
  const created = await open(partial, 'wx', 0o600);
  await created.close();
  await chmod(partial, 0o600); // the mode above is limited by the umask, which may remove rights of the owner
  const own = connectBeside(file);
  if (own === undefined) throw new A2AError('AGENT_UNAVAILABLE', 'a second connection to the file is not possible');
  try {
    await own.exec(`VACUUM INTO '${partial.replaceAll("'", "''")}'`);
  } finally {
    own.close();
  }
  await sync(partial);
}

/** A link fails if the name is taken meanwhile; a rename would replace the file. */
async function publish(partial: string, path: string): Promise<void> {
  try {
    await link(partial, path);
    await unlink(partial);
  } catch (error) {
    if (isNamed(error, 'EEXIST')) throw error;
    // The file system has no links.
    await checkNew(path);
    await rename(partial, path);
  }
  await sync(dirname(path)).catch(() => {}); // some systems cannot sync a folder
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const alreadyThere = (): A2AError => new A2AError('INVALID_PARAMS', 'the file already exists: choose another path, or move it away first');

function toBackupError(target: string, thrown: unknown): A2AError {
  const error = isNamed(thrown, 'EEXIST') ? alreadyThere() : thrown;
  const reason = isA2AError(error) ? error.reason : 'AGENT_UNAVAILABLE';
  const words = isA2AError(error) ? error.message : toWords(error);
  return new A2AError(reason, `The backup ${target} cannot be written: ${words}`, { cause: thrown });
}

function isNamed(thrown: unknown, code: string): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === code;
}
