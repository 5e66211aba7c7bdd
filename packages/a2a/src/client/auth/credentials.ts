/** Identifies the caller. Credentials are chosen by what the card declares and are never part of a message. */
import type { AgentCard, SecurityScheme } from '../../protocol/types.js';

/** The secrets that are sent with a request. */
export interface AuthMaterial {
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as a `cookie` header. Browsers do not allow a page to set it; there, the browser manages cookies itself. */
  readonly cookies?: Readonly<Record<string, string>>;
}

/** One security scheme of a card, with the scopes that the card requires. */
export interface DeclaredScheme {
  readonly name: string;
  readonly scheme: SecurityScheme;
  readonly scopes: readonly string[];
}

/** Describes the request that needs credentials. */
export interface AuthRequest {
  /** The URL of the request. The credentials are for its origin. */
  readonly url: string;
  /** undefined while the card itself is fetched. */
  readonly card: AgentCard | undefined;
  /** The scheme to satisfy, if it is already chosen. undefined: search the card. */
  readonly scheme?: DeclaredScheme | undefined;
  /** The scopes of this call, if the call names any. */
  readonly scopes?: readonly string[] | undefined;
  readonly signal: AbortSignal | undefined;
  /** The material that the peer refused: return different material. undefined on the first attempt. */
  readonly refused?: { readonly material: AuthMaterial; readonly challenge: string | undefined } | undefined;
}

/** Supplies the credentials of each request. Use a function such as `bearerToken` or `apiKey`, or implement it for your own scheme. */
export interface Credentials {
  /** Returns undefined if there are no credentials for this card. The call is then sent without any. */
  get(request: AuthRequest): Promise<AuthMaterial | undefined> | AuthMaterial | undefined;
  /** Returns true if these credentials can satisfy the scheme. Only `chooseCredentials` calls it. Absent: they never do. */
  fits?(scheme: SecurityScheme): boolean;
}
