/**
 * Simulates the tabs of a browser in one process: locks and channels as pages have them, and tabs that can be killed. Between tabs
 * everything is asynchronous, and only messages from one tab to one other tab keep their order, as between the processes of a browser.
 */
import type { TabChannel, TabLocks } from '../conversation.js';
import { FakeLocks } from './fake-locks.js';

/** One tab of a `fakeBrowser`. */
export interface FakeTab {
  /** Pass both to `webTabs({ locks, channel })`. */
  readonly locks: TabLocks;
  readonly channel: (name: string) => TabChannel;
  readonly isAlive: boolean;
  /** Simulates the end of its process: sent messages arrive, its locks are released, and it receives nothing more. */
  kill(): void;
}

/** Options of `fakeBrowser`: the order of steps between tabs, and the size of messages. */
export interface FakeBrowserOptions {
  /** Runs each step between tabs later; use it to shuffle them. Default: `setImmediate`, in order. */
  readonly defer?: (step: () => void) => void;
  /** Maximum size of a message on a channel, as JSON. Default: unlimited. */
  readonly maxMessageBytes?: number;
}

/** A browser whose tabs share locks and channels, to test conversations in several tabs. */
export interface FakeBrowser {
  openTab(): FakeTab;
}

type Listener = (event: { readonly data: unknown }) => void;

interface End {
  readonly name: string;
  readonly tab: { isAlive: boolean };
  readonly listeners: Map<string, Listener[]>;
  isOpen: boolean;
}

/** Creates a simulated browser for tests of tabs. */
export function fakeBrowser(options: FakeBrowserOptions = {}): FakeBrowser {
  const { defer = (step) => void setImmediate(step), maxMessageBytes = Number.POSITIVE_INFINITY } = options;
  const locks = new FakeLocks(defer);
  const ends = new Set<End>();

  const post = (from: End, message: unknown, lines: Map<End, unknown[]>): void => {
    if (!from.tab.isAlive) return;
    if (!from.isOpen) throw new DOMException('The channel is closed', 'InvalidStateError');
    const data: unknown = structuredClone(message);
    if (Number.isFinite(maxMessageBytes) && JSON.stringify(data).length > maxMessageBytes) {
      throw new DOMException('Data cannot be cloned, out of memory', 'DataCloneError');
    }
    for (const to of ends) {
      if (to !== from && to.name === from.name) send(to, data, lines);
    }
  };
  /** One queue per pair of ends, so that their messages keep their order, whichever step runs first. */
  const send = (to: End, data: unknown, lines: Map<End, unknown[]>): void => {
    const line = lines.get(to) ?? [];
    lines.set(to, line);
    line.push(structuredClone(data));
    defer(() => {
      const next = line.shift();
      if (to.isOpen && to.tab.isAlive) for (const listener of to.listeners.get('message') ?? []) listener({ data: next });
    });
  };

  const openChannel = (name: string, tab: End['tab']): TabChannel => {
    const end: End = { name, tab, listeners: new Map(), isOpen: true };
    const lines = new Map<End, unknown[]>();
    ends.add(end);
    return {
      postMessage: (message) => post(end, message, lines),
      addEventListener(type, listener) {
        end.listeners.set(type, [...(end.listeners.get(type) ?? []), listener]);
      },
      close() {
        end.isOpen = false;
        ends.delete(end);
      },
    };
  };

  return {
    openTab() {
      const tab = { isAlive: true };
      return {
        locks: locks.of(tab),
        channel: (name) => openChannel(name, tab),
        get isAlive() {
          return tab.isAlive;
        },
        kill() {
          tab.isAlive = false;
          for (const end of [...ends]) if (end.tab === tab) ends.delete(end);
          locks.releaseAll(tab);
        },
      };
    },
  };
}
