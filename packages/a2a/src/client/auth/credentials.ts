/** Who the caller is. Chosen by what the card declares; never part of a message. */
import type { AgentCard, SecurityScheme } from '../../protocol/types.js';

/** What goes out with a request. */
export interface AuthMaterial {
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as a `cookie` header, which browsers do not let a page set: there, cookies are the browser's own. */
  readonly cookies?: Readonly<Record<string, string>>;
}

/** One scheme of a card, and the scopes that the card wants with it. */
export interface DeclaredScheme {
  readonly name: string;
  readonly scheme: SecurityScheme;
  readonly scopes: readonly string[];
}

export interface AuthRequest {
  /** Where the request goes: credentials are for this origin. */
  readonly url: string;
  /** undefined while the card itself is fetched. */
  readonly card: AgentCard | undefined;
  /** The scheme that is to be met, where it was chosen already; undefined: look at the card. */
  readonly scheme?: DeclaredScheme | undefined;
  /** The scopes that this call wants, where it says so. */
  readonly scopes?: readonly string[] | undefined;
  readonly signal: AbortSignal | undefined;
  /** What the peer refused: the material must be new. undefined on the first try. */
  readonly refused?: { readonly material: AuthMaterial; readonly challenge: string | undefined } | undefined;
}

export interface Credentials {
  /** undefined: nothing to give for what the card asks; the call goes out without. */
  get(request: AuthRequest): Promise<AuthMaterial | undefined> | AuthMaterial | undefined;
  /** Whether these can meet a scheme; only `chooseCredentials` asks. Absent: they never do. */
  fits?(scheme: SecurityScheme): boolean;
}
