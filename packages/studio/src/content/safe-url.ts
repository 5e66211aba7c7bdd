/** Protocols that a link from an agent may use; other links are shown as text. */
const OPENABLE = new Set(['http:', 'https:', 'mailto:']);

export function safeLink(address: string | undefined): string | undefined {
  const url = parse(address);
  return url && OPENABLE.has(url.protocol) ? url.href : undefined;
}

/**
 * Whether the page may load this picture by itself: only from its own origin, because another server would learn that the user viewed it.
 */
export function isOwnPicture(address: string): boolean {
  const url = parse(address);
  return url !== undefined && (url.protocol === 'http:' || url.protocol === 'https:') && url.origin === globalThis.location?.origin;
}

/** The address of a remote file that the user may open; undefined if it is neither http nor https. */
export function webAddress(address: string): string | undefined {
  const url = parse(address);
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : undefined;
}

function parse(address: string | undefined): URL | undefined {
  if (address === undefined || address.length > 8_000) return undefined;
  try {
    return new URL(address, globalThis.location?.href);
  } catch {
    return undefined;
  }
}
