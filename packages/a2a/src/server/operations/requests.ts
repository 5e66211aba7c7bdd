/** Idempotent sends: one run per key, however often it is sent, on whichever node, across restarts (D17). */
import type { Clock } from '../../protocol/clock.js';
import { A2AError } from '../../protocol/errors.js';
import { type BegunRequest, type RequestKey, type RequestState, refKey, type TaskStore } from '../../stores/store.js';
import type { Lease } from '../lease.js';
import { stableJson } from '../stable-json.js';
import type { Sent } from './sent.js';

export interface RequestsParts {
  readonly store: TaskStore;
  readonly clock: Clock;
  readonly lease: Lease;
  readonly node: string;
}

interface Keyed {
  readonly key: RequestKey;
  /** All that makes two sends the same. */
  readonly params: unknown;
}

interface Ways {
  /** For the first time, or again because whoever did so before is gone. */
  deliver(begun: BegunRequest, attempt: number): Promise<Sent>;
  /** It led to this task; to this inbox row of it, where the task existed before. */
  attach(taskId: string, row: number | undefined): Promise<Sent>;
}

/** How often a node asks what became of a request that runs on another. */
const POLL_MS = 250;

interface Running {
  readonly hash: Promise<string>;
  readonly sent: Promise<Sent>;
}

export class Requests {
  readonly #parts: RequestsParts;
  /** Those under way here: who repeats one waits for the same answer. */
  readonly #running = new Map<string, Running>();

  constructor(parts: RequestsParts) {
    this.#parts = parts;
  }

  /** Delivers the message, or finds what became of it when it was delivered before. Of two at once the first is the one. */
  once({ key, params }: Keyed, ways: Ways): Promise<Sent> {
    const hash = hashOf(params);
    const name = refKey({ ...key, id: key.key });
    const here = this.#running.get(name);
    if (here !== undefined) return join(here, hash);
    const sent = hash.then((known) => this.#settle({ key, hash: known }, ways)).finally(() => this.#running.delete(name));
    this.#running.set(name, { hash, sent });
    return sent;
  }

  async #settle({ key, hash }: { readonly key: RequestKey; readonly hash: string }, ways: Ways): Promise<Sent> {
    const { store, node, lease, clock } = this.#parts;
    if (!lease.isHeld) await lease.hold(); // a request of a node that is not known to live would be anybody's
    for (;;) {
      const state = await store.beginRequest(key, hash, node);
      if (state.kind === 'conflict') throw conflict();
      if (state.kind === 'new') return this.#deliver({ key, node }, (begun) => ways.deliver(begun, state.attempt));
      const sent = await answered(state, ways);
      if (sent) return sent;
      await new Promise<void>((resolve) => clock.after(POLL_MS, resolve));
    }
  }

  /** A Message is remembered; an error is not, so that the next try is a new one. */
  async #deliver(begun: BegunRequest, deliver: (begun: BegunRequest) => Promise<Sent>): Promise<Sent> {
    const { store } = this.#parts;
    try {
      const sent = await deliver(begun);
      if (sent.kind === 'message') await store.endRequest(begun.key, JSON.stringify(sent.message));
      return sent;
    } catch (error) {
      await store.dropRequest(begun).catch(() => {}); // reported there; whoever comes next is told that it is new
      throw error;
    }
  }
}

/** The same answer for the same body. */
async function join({ hash, sent }: Running, own: Promise<string>): Promise<Sent> {
  if ((await hash) !== (await own)) throw conflict();
  return sent;
}

/** Undefined while it runs on another node and has no task yet. */
async function answered(state: Extract<RequestState, { kind: 'running' | 'done' }>, { attach }: Ways): Promise<Sent | undefined> {
  if (state.kind === 'done' && state.replyJson !== undefined) return { kind: 'message', message: JSON.parse(state.replyJson) };
  return state.taskId === undefined ? undefined : attach(state.taskId, state.row);
}

/** By what was understood of the body, whichever binding brought it, and in whichever order. */
async function hashOf(params: unknown): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(stableJson(params)));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const conflict = (): A2AError => new A2AError('IDEMPOTENCY_CONFLICT', 'this idempotency key was used for another request');
