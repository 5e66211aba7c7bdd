/** What tests look at afterwards: the requests as they were sent. */

export interface RecordedRequest {
  readonly method: string;
  /** Percent-encoded, with the query. */
  readonly path: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** '' when there is none. */
  readonly body: string;
}

/** A request whose body is at hand, so that it can be noted and still be sent on. */
export interface SentRequest {
  readonly record: RecordedRequest;
  readonly url: URL;
  readonly signal: AbortSignal;
  /** The request once more, body included, for whoever is to answer it. */
  toRequest(): Request;
}

/** Reads what `fetch` was called with. Rejects as `fetch` does: on what is no request, and on a signal that was aborted already. */
export async function readRequest(input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<SentRequest> {
  const request = new Request(input, init);
  const { method, url: address, headers, signal } = request;
  signal.throwIfAborted();
  const url = new URL(address);
  const body = await request.text();
  signal.throwIfAborted();
  return {
    record: { method, path: `${url.pathname}${url.search}`, headers: Object.fromEntries(headers), body },
    url,
    signal,
    toRequest: () => new Request(address, { method, headers, signal, ...(body !== '' && { body }) }),
  };
}
