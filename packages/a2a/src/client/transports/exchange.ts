/** One HTTP exchange: the small part of `fetch`, of Node's pool or of a test double that a transport needs. */

/**
 * null or absent means no limit. `connect`, `pool` and `write` are enforced only where the exchange can distinguish them, as Node's pool
 * can.
 */
export interface Timeouts {
  readonly connectMs?: number | null | undefined;
  /** Waiting for a free connection. */
  readonly poolMs?: number | null | undefined;
  /** Writing the bytes of the request. */
  readonly writeMs?: number | null | undefined;
  /** From sending the request to the first byte of the body. */
  readonly firstByteMs?: number | null | undefined;
  /** Time without data between two pieces of the body. Heartbeats count as data. */
  readonly idleMs?: number | null | undefined;
  /** The whole logical call with all its attempts. Not for streams. */
  readonly totalMs?: number | null | undefined;
}

/** What a request waits for: a free connection or a new connection. 'sent': bytes may have been sent. */
export type SendProgress = 'pool' | 'connect' | 'sent';

/** Signals that the caller has aborted. */
export interface AbortSource {
  readonly signal: AbortSignal | undefined;
  /**
   * Alternative to `signal`. An exchange that uses it does not read `signal`, so no AbortSignal is created. Calls back immediately if
   * already aborted.
   */
  onAbort?: ((callback: (reason: unknown) => void) => void) | undefined;
}

/** One HTTP request, as a transport passes it to an exchange. */
export interface HttpRequest extends AbortSource {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly timeouts: Timeouts;
  /** Deadline of the whole call in milliseconds since the epoch. After it nothing is sent, and the request in flight is aborted. */
  readonly deadline?: number | undefined;
  /** Called by an exchange that knows the progress of the request. If the exchange never calls it, the request counts as sent. */
  onProgress?: ((progress: SendProgress) => void) | undefined;
}

/** One HTTP response, as an exchange returns it to a transport. */
export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  header(name: string): string | undefined;
  /** Reads the whole body. Rejects above the limit. Calls `onPiece` for each received piece, so that a long body does not count as idle. */
  text(maxBytes: number, onPiece?: () => void): Promise<string>;
  /** The body as it arrives. Leaving the loop releases the connection. */
  chunks(): AsyncIterable<Uint8Array>;
  /** Releases a body that will not be read. */
  discard(): void;
}

/**
 * Sends one request. Rejects with an A2ATransportError that says whether anything was sent, or with ABORTED if the caller's signal aborted.
 */
export type Exchange = (request: HttpRequest) => Promise<HttpResponse>;
