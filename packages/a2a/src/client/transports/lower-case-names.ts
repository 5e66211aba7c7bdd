/**
 * The same headers by lower-case name; of two names that differ in case only, the later wins. Interceptors and wrapped exchanges may write
 * names in any case, and a header that is looked up by another case is sent twice.
 */
export function lowerCaseNames(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const name in headers) {
    if (name !== name.toLowerCase()) {
      return Object.fromEntries(Object.entries(headers).map(([each, value]) => [each.toLowerCase(), value]));
    }
  }
  // Most requests: no copy is made.
  return headers;
}
