/** Whether an element is in view or close to it. Once it was, it stays so. */
import { type RefCallback, useCallback, useState } from 'react';

const watched = new WeakMap<Element, () => void>();
let observer: IntersectionObserver | undefined;

export function useNear(): [RefCallback<Element>, boolean] {
  const [isNear, setNear] = useState(false);
  const ref = useCallback((element: Element | null) => {
    if (!element) return;
    const watch = theObserver();
    watched.set(element, () => {
      watch.unobserve(element);
      setNear(true);
    });
    watch.observe(element);
    return () => watch.unobserve(element);
  }, []);
  return [ref, isNear];
}

/** One for all: thousands of pieces would be thousands of observers. */
function theObserver(): IntersectionObserver {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) watched.get(target)?.();
    },
    { rootMargin: '800px' },
  );
  return observer;
}
