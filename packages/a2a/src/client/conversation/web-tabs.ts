/** Sharing between the tabs of a browser: the tab that holds the Web Lock is the leader, and a BroadcastChannel carries its events. */
import { randomIds } from '../../platform/random-ids.js';
import { systemClock } from '../../platform/system-clock.js';
import type { Clock } from '../../protocol/clock.js';
import type { Tabs } from './tabs.js';
import { soloTabs } from './tabs-solo.js';
import { type TabChannel, WebSeat } from './web-tabs-seat.js';

/** The interface of `navigator.locks`. */
export interface TabLocks {
  request(
    name: string,
    options: { readonly ifAvailable?: boolean; readonly signal?: AbortSignal },
    callback: (lock: unknown) => unknown,
  ): Promise<unknown>;
}

/** Options of `webTabs`, for tests and for browsers with other implementations of locks and channels. */
export interface WebTabsOptions {
  /** Elects the leader among the tabs. Default `navigator.locks`. */
  readonly locks?: TabLocks;
  /** Opens the channel between the tabs. Default `new BroadcastChannel(name)`. */
  readonly channel?: (name: string) => TabChannel;
  /** Creates the ids of commands. Default: random UUIDs. */
  readonly newId?: () => string;
  /**
   * Measures the 15 s in which the leader must acknowledge a command. A leader that does not, for example a frozen tab, counts as
   * unresponsive. Default: the system clock.
   */
  readonly clock?: Clock;
}

/** The version of the messages between tabs. It is part of the channel name, so that tabs with different versions do not communicate. */
const VERSION = 1;

/**
 * Shares one stream among all tabs of a browser. Without Web Locks or BroadcastChannel, each tab has its own stream. Works in windows and
 * workers.
 */
export function webTabs(options: WebTabsOptions = {}): Tabs {
  const { locks = findLocks(), channel = findChannel(), newId = randomIds.messageId, clock = systemClock } = options;
  if (locks === undefined || channel === undefined) return soloTabs();
  return {
    async join(name, member) {
      const fullName = `parley:tabs:${VERSION}:${name}`;
      let seat: WebSeat | undefined;
      try {
        seat = new WebSeat(member, channel(fullName), { newId, clock });
        await compete(locks, fullName, seat);
        return seat;
      } catch {
        // A page that may not use them, for example in a sandboxed frame, has its own stream.
        seat?.leave();
        return soloTabs().join(name, member);
      }
    },
  };
}

/** Resolves when it is known which tab is the leader. A tab that does not get the lock at once waits for it. */
async function compete(locks: TabLocks, name: string, seat: WebSeat): Promise<void> {
  const isFirst = await new Promise<boolean>((resolve, reject) => {
    const first = (lock: unknown): unknown => {
      if (lock === null) return resolve(false);
      const left = seat.lead();
      resolve(true);
      return left;
    };
    locks.request(name, { ifAvailable: true }, first).catch(reject);
  });
  if (isFirst) return;
  locks
    .request(name, { signal: seat.leaving }, () => seat.lead())
    .catch((thrown) => {
      if (!seat.leaving.aborted) seat.fail(thrown);
    });
  seat.follow();
}

/** Browsers provide it on secure pages only. */
function findLocks(): TabLocks | undefined {
  const navigator: unknown = Reflect.get(globalThis, 'navigator');
  const locks: unknown = typeof navigator === 'object' && navigator !== null ? Reflect.get(navigator, 'locks') : undefined;
  return typeof locks === 'object' && locks !== null ? (locks as TabLocks) : undefined; // the host's own object
}

/** The host's BroadcastChannel, if there is one. */
export function findChannel(): ((name: string) => TabChannel) | undefined {
  const Channel: unknown = Reflect.get(globalThis, 'BroadcastChannel');
  if (typeof Channel !== 'function') return undefined;
  return (name) => {
    const channel = new (Channel as new (name: string) => TabChannel & { unref?(): void })(name); // the host's own class
    channel.unref?.(); // an open channel would keep a Node process alive
    return channel;
  };
}
