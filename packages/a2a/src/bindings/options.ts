/** The options of every host, each with its default; checked once, at startup. */
import type { OptionRules } from '../platform/check-options.js';
import { anObject, anything } from '../platform/option-rules.js';
import { withoutTrailingSlashes } from '../platform/trailing-slashes.js';
import { A2AError } from '../protocol/errors.js';
import type { WireReply, WireRequest } from '../wire/http.js';

/** A page or an endpoint of the host itself, such as a health check. It is public: no credentials are checked. */
export interface OwnRoute {
  /** Default GET, which also answers HEAD. */
  readonly method?: string;
  /** The exact path below the base path. With `*` at its end, every path that begins with it. */
  readonly path: string;
  handle(request: WireRequest): WireReply | Promise<WireReply>;
}

/** Which web pages of other origins may call the agent. */
export interface CorsOptions {
  /** Origins such as `https://app.example.com`, a function that decides, or '*' for all. */
  readonly origins: '*' | readonly string[] | ((origin: string) => boolean);
  /**
   * Request headers that pages may send in addition to those of the protocol and of the API keys that `security` declares. Default none.
   */
  readonly headers?: readonly string[];
}

/** Options of every host: the public URL, the mount path, cross-origin access and additional pages. */
export interface HandlerOptions {
  /**
   * The agent's public URL, including the mount path, for the card. Default: the address of the server, otherwise the URL of the request.
   */
  readonly publicUrl?: string;
  /**
   * Trust X-Forwarded-Host and X-Forwarded-Proto when the card's URL comes from the request, and the last address in X-Forwarded-For, by
   * which anonymous callers are counted. Default: not trusted; if such a header arrives, one warning is logged, and the address of the proxy
   * has ten times the share of a caller, at most half of each total. false: not trusted, and no proxy is expected.
   */
  readonly trustProxy?: boolean;
  /** A path prefix of all routes, for hosts that do not remove it themselves. Default ''. */
  readonly basePath?: string;
  /** Cross-origin access from browsers. Default: no other origin is allowed. */
  readonly cors?: CorsOptions;
  /** Additional pages besides those of the protocol. Default: none. */
  readonly routes?: readonly OwnRoute[];
  /**
   * The tasks that anonymous callers may list: all, or only those of a context id that they know. Default 'context', and 'all' for a server
   * bound to loopback.
   */
  readonly anonymousList?: 'all' | 'context';
}

const cors: OptionRules<CorsOptions> = { origins: anything, headers: anything };

/** An option without a rule does not compile. */
export const HANDLER_RULES: OptionRules<HandlerOptions> = {
  publicUrl: anything,
  trustProxy: anything,
  basePath: anything,
  cors: anObject(cors),
  routes: anything,
  anonymousList: anything,
};

/** Values that the host adapter provides; not set by users. */
export interface HostFacts {
  /** The address of the server, if there is one. A function, because the port may be assigned late. */
  readonly ownUrl?: () => string | undefined;
  /** Checks the host that a request names; others get 421. Default: any host is allowed. */
  readonly allowHost?: (host: string) => boolean;
  /** The server is bound to loopback: refuse requests of web pages that `cors` does not allow. Default false. */
  readonly refusePages?: boolean;
}

/** Returns the URL without trailing slash. Throws INVALID_PARAMS when it is not an http or https URL. */
export function checkPublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new A2AError(
      'INVALID_PARAMS',
      `publicUrl must be an http or https URL without user, query and fragment, got ${JSON.stringify(text)}`,
    );
  }
  return withoutTrailingSlashes(url.href);
}

/** Returns '' or a path that begins with a slash and does not end with one. */
export function checkBasePath(text: string): string {
  const path = withoutTrailingSlashes(text);
  if (path !== '' && !/^(\/[\w.~%-]+)+$/.test(path)) {
    throw new A2AError('INVALID_PARAMS', `basePath must look like /agents/one, got ${JSON.stringify(text)}`);
  }
  return path;
}
