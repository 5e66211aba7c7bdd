/** Inspects URLs that may be very long, such as a data URL with an image of 50 MB. Nothing here reads more of a URL than needed. */

const HEADER_CHARS = 1024;
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;
// Browsers ignore control characters and spaces before a scheme, and tabs and line breaks inside it.
const RUNS =
  /^[\0-\x20]*(?:j[\t\n\r]*a[\t\n\r]*v[\t\n\r]*a|v[\t\n\r]*b)[\t\n\r]*s[\t\n\r]*c[\t\n\r]*r[\t\n\r]*i[\t\n\r]*p[\t\n\r]*t[\t\n\r]*:/i;

/** The bytes and media type of a base64 data URL; undefined for any other URL, which is then sent as a URL. */
export function fromDataUrl(url: string): { readonly raw: string; readonly mediaType: string } | undefined {
  if (!/^data:/i.test(url)) return undefined;
  const comma = url.slice(0, HEADER_CHARS).indexOf(',');
  if (comma === -1) return undefined;
  const [mediaType = '', ...parameters] = url.slice('data:'.length, comma).split(';');
  if (mediaType === '' || parameters.at(-1)?.toLowerCase() !== 'base64') return undefined;
  const raw = url.slice(comma + 1);
  return BASE64.test(raw) ? { raw, mediaType } : undefined;
}

/** Whether the text is a URL; base64 never contains a colon. */
export function hasScheme(text: string): boolean {
  return /^[a-z][a-z0-9+.-]{0,31}:/i.test(text);
}

/** Whether opening the URL would run a script. */
export function runsWhenOpened(url: string): boolean {
  return RUNS.test(url);
}
