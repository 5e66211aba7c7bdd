/** A page that tests render into; `act` makes React do at once what it would do soon. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { HTMLElement, Window } from 'happy-dom';
import { act, createElement, type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

const MOST_MS = 4_000;

export interface Page {
  readonly text: string;
  readonly root: HTMLElement;
  render(node: ReactNode): Promise<void>;
  /** Does something that components are told of, and waits until they have rendered. */
  act(change: () => unknown): Promise<void>;
  /** Waits, without a clock, until it is so. */
  until(isSo: () => boolean): Promise<void>;
  leave(): Promise<void>;
}

/** Needs `@vitest-environment happy-dom`. */
export async function openPage(node: ReactNode, { strict = false } = {}): Promise<Page> {
  // Our types have no DOM, because the library runs anywhere; the environment of these tests has one.
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
        if (performance.now() > end) throw new Error(`Still not so: ${isSo}; the page shows ${element.textContent}`);
        await act(() => nextTurn());
      }
    },
    async leave() {
      await act(async () => root.unmount());
      element.remove();
    },
  };
}
