/**
 * Opens a resource for its first user and closes it after its last user. It closes in a microtask, because React's StrictMode unmounts and
 * remounts every component once; this must neither close the resource nor open it twice.
 */
export function inUse(open: () => void, close: () => void): () => () => void {
  let users = 0;
  let isOpen = false;

  const closeUnlessUsed = (): void => {
    if (users > 0 || !isOpen) return;
    isOpen = false;
    close();
  };

  return () => {
    users += 1;
    if (!isOpen) {
      isOpen = true;
      open();
    }
    let isUsing = true;
    return () => {
      if (!isUsing) return;
      isUsing = false;
      users -= 1;
      if (users === 0) queueMicrotask(closeUnlessUsed);
    };
  };
}
