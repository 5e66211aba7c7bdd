/**
 * The universal request and reply: the subset that every HTTP host supports. A web `Request` costs more on Node than the rest of a call, so
 * hosts convert to this type instead (`adapters/`).
 */

/**
 * The request as the host received it, by the name of the adapter. The adapters of Node, Express and Hono declare their members themselves,
 * so that this file needs none of their types. TypeScript knows a member if its adapter is imported.
 */
export interface HostRequest {
  /** The web request; absent on Node servers. */
  readonly fetch?: Request;
}

/** One HTTP request, as a host passes it to the agent and to `auth`. */
export interface WireRequest {
  readonly method: string;
  /** Percent-encoded, without the query, beginning with a slash. */
  readonly path: string;
  /** The text after the question mark; '' when there is none. */
  readonly query: string;
  /** Scheme, host and port as the caller sees them, without a trailing slash; used when no `publicUrl` is set. */
  readonly origin: string;
  /** The address of the peer: a client or a proxy. Absent if the host does not know it. */
  readonly address?: string;
  /** By lower-case name; repeated fields joined by ', '. */
  header(name: string): string | undefined;
  /**
   * The body as text, read once. Rejects with CONTENT_TOO_LARGE above the limit, CONTENT_TYPE_NOT_SUPPORTED when it is compressed, and
   * PARSE_ERROR when it is not UTF-8. With `held`, the body counts from the start of the reading, and the caller sets 0 when it no longer
   * needs the text.
   */
  body(maxBytes: number, held?: HeldBytes): Promise<string>;
  /** Registers a callback for the disconnect of the caller; the returned function removes it. Absent if the host cannot detect it. */
  onLeave?(callback: () => void): () => void;
  /** The request object of the host, such as `host.express` with the `user` that a middleware has set. */
  readonly host: HostRequest;
}

/** One HTTP response, as a page of your own in `routes` returns it. */
export interface WireReply {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes are for pages of the host: the protocol uses text. */
  readonly body: string | Uint8Array | WireStream;
  /** Counts the part of the body that waits for the client. The host sets 0 when the body has left or the client has. Default: not counted. */
  readonly held?: HeldBytes;
}

/** Counts the bytes that a host holds in memory for one request: its body while it is read, and its reply while the client does not read. */
export interface HeldBytes {
  /** The bytes that count now. */
  readonly bytes: number;
  /** Counts this many bytes, if more than before. Throws RATE_LIMITED or AGENT_UNAVAILABLE when there is no room for them. */
  reserve(bytes: number): void;
  /** Counts this many bytes, with or without room for them. */
  set(bytes: number): void;
  /**
   * For a body above 64 KiB that has arrived: resolves when its bytes may be decoded, because large requests are processed one after another.
   * Absent: at once.
   */
  turn?(bytes: number): Promise<void>;
}

/** A body that is written over time. The host opens it once, after it sent the headers. */
export interface WireStream {
  open(output: WireOutput): WireReading;
}

/** The output that the host provides to a stream. */
export interface WireOutput {
  /** Always accepts the text; false asks the stream to pause until `resume` is called. */
  write(text: string): boolean;
  /** Ends the body after all written text. */
  end(): void;
}

/** The control that a stream provides to the host. */
export interface WireReading {
  /** The host has room for more text. */
  resume(): void;
  /** The peer has disconnected. */
  close(): void;
}

/** Serves all requests of an agent; every host calls it in the same way. Never rejects: failures are replies. */
export type WireHandler = (request: WireRequest) => Promise<WireReply>;
