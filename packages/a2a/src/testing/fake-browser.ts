/**
 * The tabs of a browser in one process: locks and channels as pages have them, and tabs that can be killed. Between tabs everything takes its
 * time, and only what one tab sends to one other keeps its order, as between the processes of a browser.
 */
import type { TabChannel, TabLocks } from '../conversation.js';
import { FakeLocks } from './fake-locks.js';

export interface FakeTab {
  /** Give both to `webTabs({ locks, channel })`. */
  readonly locks: TabLocks;
  readonly channel: (name: string) => TabChannel;
  readonly isAlive: boolean;
  /** As when its process ends: what it has sent arrives, its locks are free, and it hears nothing any more. */
  kill(): void;
}

export interface FakeBrowserOptions {
  /** Runs each step between tabs, later: shuffle them here. Default: in turns of the event loop, in order. */
  readonly defer?: (step: () => void) => void;
  /** What a channel takes at most, as JSON. Default: anything. */
  readonly maxMessageBytes?: number;
}

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

/** A browser to test tabs in. */
export function fakeBrowser(options: FakeBrowserOptions = {}): FakeBrowser {
  const { defer = (step) => void setImmediate(step), maxMessageBytes = Number.POSITIVE_INFINITY } = options;
  const locks = new FakeLocks(defer);
  const ends = new Set<End>();

  const post = (from: End, message: unknown, lines: Map<End, unknown[]>): void => {
    if (!from.tab.isAlive) return;
    if (!from.isOpen) throw new DOMException('The channel is closed', 'InvalidStateError');
    const data: unknown = structuredClone(message);
    if (Number.isFinite(maxMessageBytes) && JSON.stringify(data).length > maxMessageBytes) {
      throw new DOMException('Data can not be cloned, out of memory', 'DataCloneError');
    }
    for (const to of ends) {
      if (to !== from && to.name === from.name) send(to, data, lines);
    }
  };
  /** One line for each pair: its first is the first to arrive, whichever step runs first. */
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
