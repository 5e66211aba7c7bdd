/** Host names of this machine. A server bound to loopback refuses all other names; otherwise a web page could reach it by DNS rebinding. */

/** The name in a Host header or a URL's authority, without port. */
function hostName(host: string): string {
  const [, name = ''] = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(host.trim().toLowerCase()) ?? [];
  return name;
}

/** For names with or without brackets: `localhost`, 127.0.0.0/8 and `::1`. */
export function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name);
}

/** Returns the check of a server bound to loopback: it allows loopback names and the host of `publicUrl`. */
export function loopbackGuard(publicUrl: string | undefined): (host: string) => boolean {
  const published = publicUrl === undefined ? undefined : new URL(publicUrl).hostname;
  const isServed = (name: string): boolean => isLoopbackName(name) || (published !== undefined && name === published);
  // Cache: most requests name the same host as the previous one.
  let last: { readonly host: string; readonly served: boolean } | undefined;
  return (host) => {
    if (last?.host !== host) last = { host, served: isServed(hostName(host)) };
    return last.served;
  };
}
