/** The theme: light, dark, or that of the system. Stored in this browser. */
import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark' | 'system';

const KEY = 'parley:studio:theme';
const ORDER: readonly Theme[] = ['system', 'light', 'dark'];
const dark = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();
let theme = read();

/** Call it before the first paint, so that the page does not flash in the wrong theme. */
export function startTheme(): void {
  apply();
  dark.addEventListener('change', apply);
  addEventListener('storage', ({ key }) => {
    if (key !== KEY && key !== null) return;
    theme = read();
    apply();
  });
}

export function nextTheme(): void {
  theme = ORDER[(ORDER.indexOf(theme) + 1) % ORDER.length] ?? 'system';
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
  apply();
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, () => theme);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function apply(): void {
  document.documentElement.dataset.theme = theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme;
  for (const listener of listeners) listener();
}

function read(): Theme {
  try {
    const kept = localStorage.getItem(KEY);
    return ORDER.find((one) => one === kept) ?? 'system';
  } catch {
    return 'system';
  }
}
