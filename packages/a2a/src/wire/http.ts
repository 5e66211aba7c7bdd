/**
 * The universal request and reply: the little that every HTTP host can give and take. A web `Request` costs more on Node
 * than the rest of a call, so hosts convert to this instead (`adapters/`).
 */

/**
 * The request as the host received it, by the name of the adapter. The adapters of Node, Express and Hono declare their members themselves,
 * so that this file needs none of their types; a member is known to TypeScript where its adapter is imported.
 */
export interface HostRequest {
  /** The web request; absent where the host is a server of Node. */
  readonly fetch?: Request;
}

export interface WireRequest {
  readonly method: string;
  /** Percent-encoded, without the query, beginning with a slash. */
  readonly path: string;
  /** What follows the question mark; '' when there is none. */
  readonly query: string;
  /** Scheme, host and port as the caller sees them, without a trailing slash; used when no `publicUrl` is set. */
  readonly origin: string;
  /** By lower-case name; repeated fields joined by ', '. */
  header(name: string): string | undefined;
  /** The body as text, read once. Rejects with CONTENT_TOO_LARGE above the limit, CONTENT_TYPE_NOT_SUPPORTED when it is compressed, and PARSE_ERROR when it is not UTF-8. */
  body(maxBytes: number): Promise<string>;
  /** Calls back when the caller goes away; the returned function takes that back. Absent where the host cannot tell. */
  onLeave?(callback: () => void): () => void;
  /** What the host itself was given, such as `host.express` with the `user` that a middleware has set. */
  readonly host: HostRequest;
}

export interface WireReply {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes are for pages of the host's own: the protocol is text. */
  readonly body: string | Uint8Array | WireStream;
}

/** A body that is written as things happen. The host opens it once, after the headers went out. */
export interface WireStream {
  open(output: WireOutput): WireReading;
}

/** What the host gives a stream to write to. */
export interface WireOutput {
  /** Always takes the text; false asks to pause until `resume` is called. */
  write(text: string): boolean;
  /** Ends the body after what was written. */
  end(): void;
}

/** What a stream gives the host. */
export interface WireReading {
  /** The host can take more. */
  resume(): void;
  /** The peer has gone. */
  close(): void;
}

/** One server: every host calls it the same way. Never rejects: failures are replies. */
export type WireHandler = (request: WireRequest) => Promise<WireReply>;
