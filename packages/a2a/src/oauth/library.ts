/** Loads the OAuth library when a token is first needed. It is an optional package, and pages that need no token do not load it. */
import { missingPackage } from '../platform/missing-package.js';
import { A2AError } from '../protocol/errors.js';

export type OAuthLibrary = typeof import('oauth4webapi');

/** Returns a function that loads the library once. A failure is not cached, since a page may have been offline. */
export function libraryLoader(): () => Promise<OAuthLibrary> {
  let loading: Promise<OAuthLibrary> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

async function load(): Promise<OAuthLibrary> {
  try {
    return await import('oauth4webapi');
  } catch (cause) {
    if (isMissing(cause)) throw missingPackage('oauth4webapi', '@parley/a2a/oauth', cause);
    throw new A2AError('INTERNAL_ERROR', 'The package oauth4webapi is installed but cannot be loaded; see the cause, or install it again', {
      cause,
    });
  }
}

/** Node sets `url` for a file that is missing inside a package, but not for a missing package. */
function isMissing(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND' && !('url' in cause);
}
