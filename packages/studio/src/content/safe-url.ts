/** Addresses that an agent may make a person open: the others are shown as text. */
const OPENABLE = new Set(['http:', 'https:', 'mailto:']);

export function safeLink(address: string | undefined): string | undefined {
  const url = parse(address);
  return url && OPENABLE.has(url.protocol) ? url.href : undefined;
}

/** Of a picture that the page may load by itself: its own, and none of anybody else, who would learn that it was looked at. */
export function isOwnPicture(address: string): boolean {
  const url = parse(address);
  return url !== undefined && (url.protocol === 'http:' || url.protocol === 'https:') && url.origin === globalThis.location?.origin;
}

/** Of a file that lies elsewhere, to open when a person asks for it. */
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
