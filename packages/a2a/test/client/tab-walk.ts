/** A minimal member like a conversation: its state is the list of events, and it saves each event before it sends it to other tabs. */

import type { A2AError, JsonValue } from '@parley/a2a';
import { type TabMember, type TabSeat, webTabs } from '@parley/a2a/conversation';
import type { FakeTab } from '@parley/a2a/testing';

/** State that all tabs of a browser share: a storage, and the effects of commands. */
export interface Shared {
  /** The list that the last leader saved. */
  kept: readonly string[];
  /** Commands that were executed, in order. */
  readonly done: string[];
}

export interface WalkTab {
  readonly tab: FakeTab;
  readonly seat: Promise<TabSeat>;
  /** The list that this tab shows. */
  log: readonly string[];
  readonly errors: A2AError[];
  leads: number;
  adopted: number;
  /** Killed or left. */
  isGone: boolean;
  tell(event: string): Promise<void>;
  kill(): void;
  leave(): Promise<void>;
}

export interface WalkOptions {
  readonly shared: Shared;
  /** Runs before each command, to delay it. */
  readonly work?: () => Promise<void>;
  /** Default 'log'. */
  readonly name?: string;
  readonly newId?: () => string;
}

/** A tab that executes each command once: like a conversation, it checks the saved list first. */
export function joinTab(tab: FakeTab, { shared, work = async () => {}, name = 'log', newId }: WalkOptions): WalkTab {
  const happen = async (event: string): Promise<void> => {
    if (one.isGone) return;
    one.log = [...one.log, event];
    shared.kept = one.log;
    (await one.seat).tell(event);
  };
  const member: TabMember = {
    lead() {
      one.leads += 1;
      one.log = shared.kept;
    },
    receive(event) {
      one.log = [...one.log, String(event)];
    },
    snapshot: () => one.log,
    adopt(snapshot) {
      one.adopted += 1;
      one.log = snapshot as string[]; // the result of `snapshot` above
    },
    async handle(command) {
      await work();
      if (one.isGone) return new Promise<JsonValue>(() => {});
      if (!shared.kept.includes(String(command))) {
        shared.done.push(String(command));
        await happen(String(command));
      }
      return `did ${command}`;
    },
    fail: (error) => void one.errors.push(error),
  };
  const tabs = webTabs({ locks: tab.locks, channel: tab.channel, ...(newId && { newId }) });
  const one: WalkTab = {
    tab,
    seat: tabs.join(name, member),
    log: [],
    errors: [],
    leads: 0,
    adopted: 0,
    isGone: false,
    tell: happen,
    kill() {
      one.isGone = true;
      tab.kill();
    },
    async leave() {
      const seat = await one.seat;
      one.isGone = true;
      seat.leave();
    },
  };
  return one;
}

/** Waits until all messages between tabs have arrived. */
export async function settle(turns = 20): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
