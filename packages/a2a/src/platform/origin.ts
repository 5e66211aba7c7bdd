/** An address of an agent. gRPC interfaces are often `host:port`; those are read with the scheme that is given. undefined: it is none. */
export function readAddress(url: string, scheme = 'https:'): URL | undefined {
  const text = url.includes('://') ? url : `${scheme}//${url}`;
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  return parsed === undefined || parsed.origin === 'null' ? undefined : parsed;
}

/** To compare, and for messages: never the path or query, which may hold secrets. */
export function originOf(url: string): string {
  return readAddress(url)?.origin ?? 'an address that is no URL';
}
