/** The page that a conversation is in, where there is one. */

interface Listens {
  addEventListener(type: string, listener: () => void): void;
  removeEventListener(type: string, listener: () => void): void;
}

/** Calls back whenever the page goes away or out of sight, as it may never be back; and when it is back. Gives the function that ends it. */
export function onPageHidden(listener: () => void): () => void {
  const page = target(globalThis);
  const document = target(Reflect.get(globalThis, 'document'));
  if (page === undefined || document === undefined) return () => {};
  page.addEventListener('pagehide', listener);
  document.addEventListener('visibilitychange', listener);
  return () => {
    page.removeEventListener('pagehide', listener);
    document.removeEventListener('visibilitychange', listener);
  };
}

function target(value: unknown): Listens | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  // What hosts have under this name.
  return typeof Reflect.get(value, 'addEventListener') === 'function' ? (value as Listens) : undefined;
}
