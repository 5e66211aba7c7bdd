/** Reports whether an element is in or near the view. Once true, it stays true. */
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

/** One shared observer: thousands of pieces must not create thousands of observers. */
function theObserver(): IntersectionObserver {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) watched.get(target)?.();
    },
    { rootMargin: '800px' },
  );
  return observer;
}
