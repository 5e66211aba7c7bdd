// Tabs that join, send commands, leave and die in random order, while messages between them arrive late. The order between two senders is
// not defined.
import { fakeBrowser } from '@parley/a2a/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinTab, type Shared, type WalkTab } from './tab-walk.js';

type Action =
  | { readonly kind: 'join' | 'tell' }
  | { readonly kind: 'kill' | 'leave' | 'ask'; readonly tab: number }
  /** The index of the pending step that runs next. */
  | { readonly kind: 'step'; readonly pick: number };

const tab = fc.nat(5);
const actions = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constant<Action>({ kind: 'join' }) },
    { weight: 3, arbitrary: fc.constant<Action>({ kind: 'tell' }) },
    { weight: 1, arbitrary: tab.map((tab): Action => ({ kind: 'kill', tab })) },
    { weight: 1, arbitrary: tab.map((tab): Action => ({ kind: 'leave', tab })) },
    { weight: 4, arbitrary: tab.map((tab): Action => ({ kind: 'ask', tab })) },
    { weight: 20, arbitrary: fc.nat(1_000).map((pick): Action => ({ kind: 'step', pick })) },
  ),
  { minLength: 20, maxLength: 120 },
);

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

class Walk {
  readonly shared: Shared = { kept: [], done: [] };
  readonly tabs: WalkTab[] = [];
  readonly #steps: (() => void)[] = [];
  readonly #browser = fakeBrowser({ defer: (step) => void this.#steps.push(step) });
  /** Open commands and the tabs that sent them. A command of a dead tab is ignored. */
  readonly #open = new Map<string, WalkTab>();
  readonly #answers: unknown[] = [];
  #count = 0;

  get alive(): readonly WalkTab[] {
    return this.tabs.filter(({ isGone }) => !isGone);
  }

  async do(action: Action): Promise<void> {
    const some = 'tab' in action ? this.alive[action.tab % Math.max(1, this.alive.length)] : undefined;
    if (action.kind === 'join' && this.alive.length < 5) this.#join();
    if (action.kind === 'tell') await this.#tell();
    if (action.kind === 'ask' && some !== undefined) void this.#ask(some);
    if (action.kind === 'kill') some?.kill();
    if (action.kind === 'leave') void some?.leave();
    if (action.kind === 'step') this.#steps.splice(action.pick % Math.max(1, this.#steps.length), 1)[0]?.();
    await turn();
    await this.check();
  }

  /** Always true: there is at most one leader, and the list of each tab is a prefix of the saved list. */
  async check(): Promise<void> {
    expect((await this.leaders()).length).toBeLessThanOrEqual(1);
    for (const { log } of this.alive) expect(this.shared.kept.slice(0, log.length)).toEqual(log);
    expect(new Set(this.shared.done).size).toBe(this.shared.done.length);
  }

  /** At the end: all tabs show the same, and every command was executed and answered. */
  async finish(): Promise<void> {
    while (this.#steps.length > 0) {
      this.#steps.shift()?.();
      await turn();
    }
    await this.check();
    for (const { log, errors } of this.alive) expect([log, errors]).toEqual([this.shared.kept, []]);
    const waiting = [...this.#open].filter(([, one]) => !one.isGone);
    expect(waiting.map(([command]) => command)).toEqual([]);
    expect(await this.leaders()).toHaveLength(this.alive.length > 0 ? 1 : 0);
    for (const answer of this.#answers) expect(this.shared.done.map((command) => `did ${command}`)).toContain(answer);
  }

  async leaders(): Promise<readonly WalkTab[]> {
    const known = await Promise.all(this.alive.map(async (one) => ((await isLeader(one)) ? one : undefined)));
    return known.filter((one) => one !== undefined);
  }

  #join(): void {
    // A command takes one step, so that a leader can die during its execution.
    const work = (): Promise<void> => new Promise((resolve) => void this.#steps.push(resolve));
    this.tabs.push(joinTab(this.#browser.openTab(), { shared: this.shared, work }));
  }

  async #tell(): Promise<void> {
    const [leader] = await this.leaders();
    this.#count += 1;
    await leader?.tell(`event ${this.#count}`);
  }

  async #ask(one: WalkTab): Promise<void> {
    this.#count += 1;
    const command = `command ${this.#count}`;
    const seat = await Promise.race([one.seat, turn()]);
    if (!seat) return;
    this.#open.set(command, one);
    const answer = await seat.ask(command).catch(() => undefined); // the tab has left
    this.#open.delete(command);
    if (answer !== undefined) this.#answers.push(answer);
  }
}

/** A tab that has not joined yet is not a leader. */
async function isLeader({ seat }: WalkTab): Promise<boolean> {
  const taken = await Promise.race([seat, Promise.resolve(undefined)]);
  return taken?.isLeader ?? false;
}

test('D38: in any order of events there is one leader, each command is executed once, and all tabs show the state of the leader', async () => {
  await fc.assert(
    fc.asyncProperty(actions, async (list) => {
      const walk = new Walk();
      for (const action of list) await walk.do(action);
      await walk.finish();
    }),
    { numRuns: 150 },
  );
}, 30_000);
