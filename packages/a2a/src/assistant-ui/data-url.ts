/** Looking at addresses that may be very long: a picture of 50 MB is one, too. Nothing here reads more of them than it needs. */

const HEADER_CHARS = 1024;
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;
// Browsers pass over controls and blanks in front of a scheme, and over tabs and line ends inside it.
const RUNS =
  /^[\0-\x20]*(?:j[\t\n\r]*a[\t\n\r]*v[\t\n\r]*a|v[\t\n\r]*b)[\t\n\r]*s[\t\n\r]*c[\t\n\r]*r[\t\n\r]*i[\t\n\r]*p[\t\n\r]*t[\t\n\r]*:/i;

/** The bytes of a base64 data URL with their media type; undefined for everything else, so that it stays the address that it is. */
export function fromDataUrl(url: string): { readonly raw: string; readonly mediaType: string } | undefined {
  if (!/^data:/i.test(url)) return undefined;
  const comma = url.slice(0, HEADER_CHARS).indexOf(',');
  if (comma === -1) return undefined;
  const [mediaType = '', ...parameters] = url.slice('data:'.length, comma).split(';');
  if (mediaType === '' || parameters.at(-1)?.toLowerCase() !== 'base64') return undefined;
  const raw = url.slice(comma + 1);
  return BASE64.test(raw) ? { raw, mediaType } : undefined;
}

/** Whether a text is an address; base64 never has a colon. */
export function hasScheme(text: string): boolean {
  return /^[a-z][a-z0-9+.-]{0,31}:/i.test(text);
}

/** Whether opening the address would run it as a script. */
export function runsWhenOpened(url: string): boolean {
  return RUNS.test(url);
}
