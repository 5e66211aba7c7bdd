/**
 * Returns the headers with lower-case names; of two names that differ only in case, the later wins. Interceptors and wrapped exchanges may
 * use any case, and a header that is not found because of its case would be sent twice.
 */
export function lowerCaseNames(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const name in headers) {
    if (name !== name.toLowerCase()) {
      return Object.fromEntries(Object.entries(headers).map(([each, value]) => [each.toLowerCase(), value]));
    }
  }
  // No copy for most requests.
  return headers;
}
