/** A React page with an assistant-ui runtime, for tests. It has no markup; tests read everything from the runtime. */
import { type AssistantRuntime, AssistantRuntimeProvider, type ThreadMessage } from '@assistant-ui/react';
import type { Window } from 'happy-dom';
import { Activity, createElement, type ReactNode, StrictMode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { vi } from 'vitest';

export interface Stage<O> {
  readonly runtime: AssistantRuntime;
  /** The messages that the thread shows. */
  readonly messages: readonly ThreadMessage[];
  readonly isRunning: boolean;
  /** How often the component with the runtime has rendered. */
  readonly renders: number;
  /** The text of the whole page. */
  readonly text: string;
  /** The text of the last message. */
  readonly lastText: string;
  /** Sends a text from the composer; resolves when the message and its empty answer are shown. */
  say(text: string): Promise<void>;
  /** Like `say`, and waits for the end of the answer. */
  sayAndWait(text: string): Promise<void>;
  /** Resolves when React has rendered and run its effects. */
  rerender(options: O): Promise<void>;
  /** Hides the page without unmounting it, until the next render. */
  hide(): Promise<void>;
  unmount(): void;
}

export interface StageOptions {
  readonly strict?: boolean;
  readonly children?: ReactNode;
}

// Tests are slow on a busy machine; that must not fail them.
vi.setConfig({ testTimeout: 20_000 });

const roots = new Set<Root>();

/** Renders a component that uses the runtime hook, and waits for its runtime. */
export async function mount<O>(useRuntime: (options: O) => AssistantRuntime, options: O, more: StageOptions = {}): Promise<Stage<O>> {
  // The document is from happy-dom, which the types of this package do not include.
  const { document } = globalThis as unknown as { document: Window['document'] };
  let failure: { readonly thrown: unknown } | undefined;
  const element = document.createElement('div');
  const root = createRoot(element as unknown as Parameters<typeof createRoot>[0], {
    onUncaughtError: (thrown) => {
      failure = { thrown };
    },
  });
  roots.add(root);
  let runtime: AssistantRuntime | undefined;
  let renders = 0;
  let latest = options;
  function Page({ given }: { given: O }): ReactNode {
    const made = useRuntime(given);
    runtime = made;
    renders += 1;
    return createElement(AssistantRuntimeProvider, { runtime: made }, more.children);
  }
  const render = (given: O, mode: 'visible' | 'hidden' = 'visible'): void => {
    latest = given;
    const props = { mode, children: createElement(Page, { given }) };
    const page = createElement(Activity, props);
    root.render(more.strict ? createElement(StrictMode, null, page) : page);
  };
  render(options);
  const found = await until(() => {
    if (failure !== undefined) throw failure.thrown;
    return runtime;
  });
  const stage: Stage<O> = {
    get runtime() {
      return runtime ?? found;
    },
    get messages() {
      return stage.runtime.thread.getState().messages;
    },
    get isRunning() {
      return stage.runtime.thread.getState().isRunning;
    },
    get renders() {
      return renders;
    },
    get text() {
      return element.textContent ?? '';
    },
    get lastText() {
      return textOf(stage.messages.at(-1));
    },
    async say(text) {
      const { composer } = stage.runtime.thread;
      const before = stage.messages.length;
      composer.setText(text);
      composer.send();
      await until(() => stage.messages.length >= before + 2);
    },
    async sayAndWait(text) {
      const { composer } = stage.runtime.thread;
      const before = stage.messages.length;
      composer.setText(text);
      composer.send();
      await until(() => stage.messages.length >= before + 2 && !stage.isRunning);
    },
    async rerender(given) {
      const before = renders;
      render(given);
      await until(() => renders > before);
      await effects();
    },
    async hide() {
      render(latest, 'hidden');
      await effects();
    },
    unmount() {
      roots.delete(root);
      root.unmount();
    },
  };
  return stage;
}

/** Waits for effects. React runs them after the render, and some of them render again. */
function effects(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 10));
}

/** Unmounts every page that is still open; for `afterEach`. */
export function unmountAll(): void {
  for (const root of roots) root.unmount();
  roots.clear();
}

export function textOf(message: ThreadMessage | undefined): string {
  return (message?.content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** Polls until `look` returns a value other than undefined, null or false. */
export async function until<T>(look: () => T, limitMs = 15_000): Promise<NonNullable<Exclude<T, false>>> {
  const end = performance.now() + limitMs;
  for (;;) {
    const found = look();
    // The check above excludes exactly these values.
    if (found !== undefined && found !== null && found !== false) return found as NonNullable<Exclude<T, false>>;
    if (performance.now() > end) throw new Error(`no value before the timeout from ${String(look)}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
