/** The OAuth library, loaded when a token is first needed: it is an optional package, and pages that never ask for a token do without it. */
import { missingPackage } from '../platform/missing-package.js';
import { A2AError } from '../protocol/errors.js';

export type OAuthLibrary = typeof import('oauth4webapi');

/** Gives the library, which is loaded by the first call. A failure is not kept: a page may have been without a network. */
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
    throw new A2AError('INTERNAL_ERROR', 'The package oauth4webapi is installed but cannot be loaded', { cause });
  }
}

/** Node names the URL of a file that a package lacks, and none for a package that is not there. */
function isMissing(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND' && !('url' in cause);
}
