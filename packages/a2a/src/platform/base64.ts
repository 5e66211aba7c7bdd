const CHUNK = 0x8000; // a number of arguments that every engine accepts

/** Standard base64 with padding, on any platform. */
export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let start = 0; start < bytes.length; start += CHUNK) binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  return btoa(binary);
}
