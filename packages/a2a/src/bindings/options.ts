/** What every host of an agent may set, each with its default; checked once, at start. */
import { A2AError } from '../protocol/errors.js';
import type { WireReply, WireRequest } from '../wire/http.js';

/** A page or an endpoint of the host's own, such as a health check. It is served to everybody: no credentials are asked for. */
export interface OwnRoute {
  /** Default GET, which answers HEAD too. */
  readonly method?: string;
  /** The exact path below the base path; with `*` at its end, everything that begins like it. */
  readonly path: string;
  handle(request: WireRequest): WireReply | Promise<WireReply>;
}

/** Which web pages of other origins may call the agent. */
export interface CorsOptions {
  /** Origins such as `https://app.example.com`, a function that decides, or '*' for all. */
  readonly origins: '*' | readonly string[] | ((origin: string) => boolean);
  /** Request headers that pages may send beyond those of the protocol and of the API keys that `security` declares. Default none. */
  readonly headers?: readonly string[];
}

export interface HandlerOptions {
  /** Where callers reach the agent, mount path included; the card says it. Default: the address listened on, else the request's own. */
  readonly publicUrl?: string;
  /** Believe X-Forwarded-Host and X-Forwarded-Proto when the card's URL comes from the request. Default false. */
  readonly trustProxy?: boolean;
  /** A path in front of all routes, for hosts that do not take it away themselves. Default ''. */
  readonly basePath?: string;
  /** Default: no other origin may. */
  readonly cors?: CorsOptions;
  /** Pages beside the protocol's own. */
  readonly routes?: readonly OwnRoute[];
  /** Which tasks callers without a name may list: all, or only those of a context id they know. Default 'context', and 'all' for a server bound to loopback. */
  readonly anonymousList?: 'all' | 'context';
}

/** What the host itself knows and no user sets. */
export interface HostFacts {
  /** The address listened on, where there is one; made when it is asked for, because a port may be chosen late. */
  readonly ownUrl?: () => string | undefined;
  /** Hosts named by requests that are served; others get 421. Default: any. */
  readonly allowHost?: (host: string) => boolean;
}

/** Without trailing slash. Throws when it is no http URL. */
export function checkPublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new A2AError(
      'INVALID_PARAMS',
      `publicUrl must be an http or https URL without user, query and fragment, got ${JSON.stringify(text)}`,
    );
  }
  return url.href.replace(/\/+$/, '');
}

/** '' or a path that begins with a slash and does not end with one. */
export function checkBasePath(text: string): string {
  const path = text.replace(/\/+$/, '');
  if (path !== '' && !/^(\/[\w.~%-]+)+$/.test(path)) {
    throw new A2AError('INVALID_PARAMS', `basePath must look like /agents/one, got ${JSON.stringify(text)}`);
  }
  return path;
}
