/**
 * Parses the address of an agent. gRPC interfaces are often `host:port`; these are parsed with the given scheme. Returns undefined if it is
 * not a URL.
 */
export function readAddress(url: string, scheme = 'https:'): URL | undefined {
  const text = url.includes('://') ? url : `${scheme}//${url}`;
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  return parsed === undefined || parsed.origin === 'null' ? undefined : parsed;
}

/** For comparisons and messages: without path and query, which may contain secrets. */
export function originOf(url: string): string {
  return readAddress(url)?.origin ?? 'an invalid URL';
}
