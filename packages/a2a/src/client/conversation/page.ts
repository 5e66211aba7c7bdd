/** The page that contains the conversation, if there is one. */

interface Listens {
  addEventListener(type: string, listener: () => void): void;
  removeEventListener(type: string, listener: () => void): void;
}

/** Calls the listener when the page is closed, hidden (it may never come back) or shown again. Returns the function that removes it. */
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
  // The host's own object has this shape.
  return typeof Reflect.get(value, 'addEventListener') === 'function' ? (value as Listens) : undefined;
}
