/** One HTTP exchange: the little that a transport needs of `fetch`, of Node's pool, or of a test. */

/** Each null or absent: no limit. `connect`, `pool` and `write` can be kept only where the host tells them apart, as Node's pool does. */
export interface Timeouts {
  readonly connectMs?: number | null | undefined;
  /** Waiting for a free connection. */
  readonly poolMs?: number | null | undefined;
  /** Handing over the request's bytes. */
  readonly writeMs?: number | null | undefined;
  /** From the request being sent to the first byte of the body. */
  readonly firstByteMs?: number | null | undefined;
  /** Silence between two pieces of the body; heartbeats are no silence. */
  readonly idleMs?: number | null | undefined;
  /** The whole logical call with all its tries; not for streams. */
  readonly totalMs?: number | null | undefined;
}

/** What a request waits for: a free connection, a new connection. 'sent': bytes may have left. */
export type SendProgress = 'pool' | 'connect' | 'sent';

/** What tells that nobody waits any more. */
export interface AbortSource {
  readonly signal: AbortSignal | undefined;
  /** The same where there is no signal yet: who can use this does not read `signal`, and none is made. At once when it is over already. */
  onAbort?: ((callback: (reason: unknown) => void) => void) | undefined;
}

export interface HttpRequest extends AbortSource {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly timeouts: Timeouts;
  /** When the whole call is over, in milliseconds since the epoch: nothing is sent then, and what is in flight is given up. */
  readonly deadline?: number | undefined;
  /** Called by an exchange that knows how far the request has come. A request whose exchange does not call it counts as sent. */
  onProgress?: ((progress: SendProgress) => void) | undefined;
}

export interface HttpResponse {
  readonly status: number;
  /** By lower-case name. */
  header(name: string): string | undefined;
  /** The whole body. Rejects above the limit. Tells of each piece that came, so that silence can be told from a long body. */
  text(maxBytes: number, onPiece?: () => void): Promise<string>;
  /** The body as it comes. Leaving the loop lets go of the connection. */
  chunks(): AsyncIterable<Uint8Array>;
  /** Lets go of a body that nobody will read. */
  discard(): void;
}

/** Rejects with an A2ATransportError that says whether anything was sent, or with ABORTED when the caller's signal did it. */
export type Exchange = (request: HttpRequest) => Promise<HttpResponse>;
