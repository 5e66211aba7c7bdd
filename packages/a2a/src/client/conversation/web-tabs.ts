/** The tabs of a browser: who holds the Web Lock leads, and a BroadcastChannel carries what it tells. */
import { randomIds } from '../../platform/random-ids.js';
import { systemClock } from '../../platform/system-clock.js';
import type { Clock } from '../../protocol/clock.js';
import type { Tabs } from './tabs.js';
import { soloTabs } from './tabs-solo.js';
import { type TabChannel, WebSeat } from './web-tabs-seat.js';

/** What `navigator.locks` is. */
export interface TabLocks {
  request(
    name: string,
    options: { readonly ifAvailable?: boolean; readonly signal?: AbortSignal },
    callback: (lock: unknown) => unknown,
  ): Promise<unknown>;
}

export interface WebTabsOptions {
  /** Default `navigator.locks`. */
  readonly locks?: TabLocks;
  /** Default `new BroadcastChannel(name)`. */
  readonly channel?: (name: string) => TabChannel;
  readonly newId?: () => string;
  /** A tab that leads and does not say for 15 s that it has heard a command, for example because it is frozen, counts as one that does not answer. */
  readonly clock?: Clock;
}

/** Tabs that run different versions of what they say to each other have nothing to say to each other. */
const VERSION = 1;

/** One stream for all tabs of a browser, in windows and workers. Where it has no Web Locks or no BroadcastChannel, each tab is for itself. */
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
        // A page that may not use them, for example in a sandboxed frame, is for itself.
        seat?.leave();
        return soloTabs().join(name, member);
      }
    },
  };
}

/** Resolves when it is known who leads. Who is not the first waits in line. */
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

/** Browsers have it on secure pages only. */
function findLocks(): TabLocks | undefined {
  const navigator: unknown = Reflect.get(globalThis, 'navigator');
  const locks: unknown = typeof navigator === 'object' && navigator !== null ? Reflect.get(navigator, 'locks') : undefined;
  return typeof locks === 'object' && locks !== null ? (locks as TabLocks) : undefined; // what hosts have under this name
}

/** As the host has it. */
export function findChannel(): ((name: string) => TabChannel) | undefined {
  const Channel: unknown = Reflect.get(globalThis, 'BroadcastChannel');
  if (typeof Channel !== 'function') return undefined;
  return (name) => {
    const channel = new (Channel as new (name: string) => TabChannel & { unref?(): void })(name); // what hosts have under this name
    channel.unref?.(); // Node's would keep the process alive
    return channel;
  };
}
