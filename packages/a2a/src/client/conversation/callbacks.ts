/** Runs the caller's functions. An error in one of them never stops the conversation. */
import { A2AError } from '../../protocol/errors.js';
import type { Artifact } from '../../protocol/types.js';
import type { ConversationOptions } from './options.js';

export interface Callbacks {
  error(error: A2AError): void;
  cancel(): void;
  artifactComplete(artifact: Artifact): void;
  listener(run: () => void): void;
}

/** Errors of onCancel, onArtifactComplete and listeners go to onError. Errors of onError itself are dropped. */
export function createCallbacks({ onError, onCancel, onArtifactComplete }: ConversationOptions): Callbacks {
  const error = (reported: A2AError): void =>
    guard(
      () => onError?.(reported),
      () => {},
    );
  const guarded = (name: string, run: () => unknown): void =>
    guard(run, (cause) => error(new A2AError('INTERNAL_ERROR', `${name} failed`, { cause })));
  return {
    error,
    cancel: () => guarded('onCancel', () => onCancel?.()),
    artifactComplete: (artifact) => guarded('onArtifactComplete', () => onArtifactComplete?.(artifact)),
    listener: (run) => guarded('A listener of the conversation', run),
  };
}

function guard(run: () => unknown, failed: (thrown: unknown) => void): void {
  try {
    const given = run();
    if (given instanceof Promise) given.catch(failed);
  } catch (thrown) {
    failed(thrown);
  }
}

/** Marks the rejections of a promise as handled, so that a caller that does not await it causes no unhandled rejection. */
export function unheard<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
