/** Which hosts are this machine. A server bound to loopback serves no other name, or any web page could reach it by rebinding its own. */

/** The name of a Host header or a URL's authority, without port. */
function hostName(host: string): string {
  const [, name = ''] = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(host.trim().toLowerCase()) ?? [];
  return name;
}

/** For names with or without brackets: `localhost`, 127.0.0.0/8 and `::1`. */
export function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name);
}

/** What a server bound to loopback lets in: loopback names, and the one it is published under. */
export function loopbackGuard(publicUrl: string | undefined): (host: string) => boolean {
  const published = publicUrl === undefined ? undefined : new URL(publicUrl).hostname;
  const isServed = (name: string): boolean => isLoopbackName(name) || (published !== undefined && name === published);
  // Most requests name the host that the last one named.
  let last: { readonly host: string; readonly served: boolean } | undefined;
  return (host) => {
    if (last?.host !== host) last = { host, served: isServed(hostName(host)) };
    return last.served;
  };
}
