// Tabs that open, send and die in random order, while messages between them arrive late and out of order.
import { memoryStorage } from '@parley/a2a/conversation';
import { createAgent } from '@parley/a2a/server';
import { createTestFetch, fakeBrowser, manualClock } from '@parley/a2a/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openPage, type Page, passUntil } from './pages.js';

type Action =
  | { readonly kind: 'open' }
  | { readonly kind: 'kill' | 'send'; readonly tab: number }
  | { readonly kind: 'step'; readonly pick: number };

const tab = fc.nat(3);
const actions = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: fc.constant<Action>({ kind: 'open' }) },
    { weight: 1, arbitrary: tab.map((tab): Action => ({ kind: 'kill', tab })) },
    { weight: 3, arbitrary: tab.map((tab): Action => ({ kind: 'send', tab })) },
    { weight: 14, arbitrary: fc.nat(1_000).map((pick): Action => ({ kind: 'step', pick })) },
  ),
  { minLength: 15, maxLength: 60 },
);

class Walk {
  readonly clock = manualClock();
  readonly executed: string[] = [];
  readonly sent: { readonly text: string; readonly page: Page }[] = [];
  #pages: Page[] = [];
  readonly #storage = memoryStorage();
  readonly #steps: (() => void)[] = [];
  readonly #browser = fakeBrowser({ defer: (step) => void this.#steps.push(step) });
  readonly #fetch = createTestFetch(
    createAgent({
      name: 'echo',
      execute: async ({ text }) => {
        this.executed.push(text);
        return `you said ${text}`;
      },
    }),
  );

  get pages(): readonly Page[] {
    return this.#pages;
  }

  async do(action: Action): Promise<void> {
    const page = 'tab' in action ? this.#pages[action.tab % Math.max(1, this.#pages.length)] : undefined;
    if (action.kind === 'open' && this.#pages.length < 4) this.#open();
    if (action.kind === 'kill' && page !== undefined) this.#kill(page);
    if (action.kind === 'send' && page !== undefined) this.#send(page);
    if (action.kind === 'step') this.#steps.splice(action.pick % Math.max(1, this.#steps.length), 1)[0]?.();
    await this.clock.tick(1);
  }

  /** Runs all pending steps until all tabs are idle and show the same. */
  async finish(): Promise<void> {
    if (this.#pages.length === 0) this.#open();
    const isQuiet = (): boolean => {
      this.#steps.shift()?.();
      const states = this.#pages.map(({ conversation }) => conversation.state);
      const isSame = new Set(states.map((state) => state.messages.length)).size === 1;
      const isAllThere = this.#unanswered() === 0;
      return this.#steps.length === 0 && isSame && isAllThere && states.every(({ isRunning, isLoading }) => !isRunning && !isLoading);
    };
    await passUntil(this.clock, isQuiet);
    await passUntil(this.clock, isQuiet);
  }

  /** The number of messages that open tabs have sent and do not show yet. */
  #unanswered(): number {
    return this.sent.filter(({ text, page }) => this.#pages.includes(page) && !textsOf(page).includes(text)).length;
  }

  #open(): void {
    const page = openPage({ fetch: this.#fetch, clock: this.clock, storage: this.#storage, tab: this.#browser.openTab() });
    void page.conversation.load();
    this.#pages.push(page);
  }

  #kill(page: Page): void {
    page.die();
    this.#pages = this.#pages.filter((one) => one !== page);
  }

  #send(page: Page): void {
    const text = `message ${this.sent.length}`;
    this.sent.push({ text, page });
    page.conversation.send(text).catch(() => {});
  }
}

/** The texts of the user messages on all branches. */
function textsOf({ conversation }: Page): (string | undefined)[] {
  return conversation.export().messages.flatMap(({ message }) => (message.role === 'ROLE_USER' ? [message.parts[0]?.text] : []));
}

test('D38: in any order of events, all tabs show each message of an open tab once, and no message is executed twice', async () => {
  await fc.assert(
    fc.asyncProperty(actions, async (list) => {
      const walk = new Walk();
      for (const action of list) await walk.do(action);
      await walk.finish();
      const texts = walk.pages.map(textsOf);
      for (const shown of texts) expect([...shown].sort()).toEqual([...(texts[0] ?? [])].sort());
      for (const shown of texts) expect(new Set(shown).size).toBe(shown.length);
      expect(new Set(walk.executed).size).toBe(walk.executed.length);
      for (const { conversation, errors } of walk.pages) {
        expect(errors).toEqual([]);
        conversation.close();
      }
    }),
    { numRuns: 20 },
  );
}, 60_000);
