/**
 * Opens with the first who uses it, and closes after the last. It closes a moment later, because React's StrictMode leaves everything once
 * and comes back at once: that must neither open it twice nor close it.
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
