/** The code of the heartbeat thread. The thread gets it as text (`heartbeat.ts`), so it uses only globals and what it is given. */
import type { Client, ClientConfig } from 'pg';
import type { SharedInstant } from './shared-instant.js';

/** What the thread gets from its agent; all of it can be cloned. */
export interface ThreadData {
  /** `alive`, `own` and `renewal` of `ThreadParts`, in this order. */
  readonly buffer: SharedArrayBuffer;
  /** The path of the driver. */
  readonly driver: string;
  readonly config: ClientConfig;
  /** Renews the lease if it has not expired, and returns one row if it did so. */
  readonly sql: string;
  readonly values: readonly (string | number)[];
  readonly leaseMs: number;
  readonly beatMs: number;
  /** Delay after a failed renewal. */
  readonly retryMs: number;
  readonly stallMs: number;
}

export interface ThreadParts {
  /** When the event loop of the agent last ran. */
  readonly alive: SharedInstant;
  /** When the agent sent its own last successful heartbeat. */
  readonly own: SharedInstant;
  /** When this thread sent its last successful renewal. */
  readonly renewal: SharedInstant;
  readonly connect: (config: ClientConfig) => Client;
  readonly report: (failure: string) => void;
}

export class HeartbeatThread {
  readonly #data: ThreadData;
  readonly #parts: ThreadParts;
  #client: Client | undefined;

  constructor(data: ThreadData, parts: ThreadParts) {
    this.#data = data;
    this.#parts = parts;
  }

  async run(): Promise<never> {
    const { beatMs, retryMs } = this.#data;
    for (;;) {
      const began = performance.now();
      const isGood = await this.#beat();
      const waitMs = isGood ? Math.max(0, beatMs - (performance.now() - began)) : retryMs;
      await new Promise((resume) => setTimeout(resume, Math.min(waitMs, 2 ** 31 - 1))); // a longer delay would fire at once
    }
  }

  /**
   * The lease is surely held. Otherwise only the agent may acquire it: another node may have taken over tasks, and the agent must check
   * that before it writes again.
   */
  get #isHeld(): boolean {
    const { own, renewal } = this.#parts;
    return Math.min(own.agoMs, renewal.agoMs) < this.#data.leaseMs;
  }

  /** Never rejects; false after a failure. */
  async #beat(): Promise<boolean> {
    const { alive, renewal, report } = this.#parts;
    if (alive.agoMs >= this.#data.stallMs || !this.#isHeld) return true;
    try {
      const client = this.#client ?? (await this.#connect());
      const sentAt = performance.now();
      const { rowCount } = await client.query(this.#data.sql, [...this.#data.values]);
      // Checked again: if the lease expired while the answer was on its way, the agent may have acquired it anew in between.
      if (rowCount === 1 && this.#isHeld) renewal.set(performance.now() - sentAt);
      return true;
    } catch (error) {
      this.#drop(this.#client);
      report(String(error));
      return false;
    }
  }

  async #connect(): Promise<Client> {
    const client = this.#parts.connect(this.#data.config);
    this.#client = client;
    client.on('error', () => this.#drop(client)); // without a listener, a lost connection would end the thread
    await client.connect();
    return client;
  }

  /** The next renewal makes a new connection. An earlier client may still report errors. */
  #drop(client: Client | undefined): void {
    if (client === this.#client) this.#client = undefined;
    client?.end().catch(() => {});
  }
}
