/** A page that tests render into; `act` flushes the pending work of React. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { HTMLElement, Window } from 'happy-dom';
import { act, createElement, type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

const MOST_MS = 4_000;

export interface Page {
  readonly text: string;
  readonly root: HTMLElement;
  render(node: ReactNode): Promise<void>;
  /** Makes a change, and waits until the components have rendered it. */
  act(change: () => unknown): Promise<void>;
  /** Runs the event loop until the condition is true. */
  until(isSo: () => boolean): Promise<void>;
  leave(): Promise<void>;
}

/** Needs `@vitest-environment happy-dom`. */
export async function openPage(node: ReactNode, { strict = false } = {}): Promise<Page> {
  // Our types have no DOM, because the library runs on any platform. The environment of these tests has one.
  const page = globalThis as unknown as { document: Window['document']; IS_REACT_ACT_ENVIRONMENT: boolean };
  page.IS_REACT_ACT_ENVIRONMENT = true;
  const element = page.document.createElement('main');
  page.document.body.append(element);
  const root = createRoot(element as unknown as Element);
  const wrap = (inner: ReactNode): ReactNode => (strict ? createElement(StrictMode, undefined, inner) : inner);
  const render = (next: ReactNode) => act(async () => root.render(wrap(next)));
  await render(node);
  return {
    get text() {
      return element.textContent ?? '';
    },
    root: element,
    render,
    act: (change) =>
      act(async () => {
        await change();
      }),
    async until(isSo) {
      const end = performance.now() + MOST_MS;
      while (!isSo()) {
        if (performance.now() > end) throw new Error(`The condition did not become true: ${isSo}; the page shows ${element.textContent}`);
        await act(() => nextTurn());
      }
    },
    async leave() {
      await act(async () => root.unmount());
      element.remove();
    },
  };
}
