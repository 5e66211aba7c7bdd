/** Idempotent sends: one run per key, no matter how often it is sent, to which node, or across restarts (D17). */

import { stableJson } from '../../platform/stable-json.js';
import type { Clock } from '../../protocol/clock.js';
import { A2AError } from '../../protocol/errors.js';
import type { Message } from '../../protocol/types.js';
import { type BegunRequest, type RequestKey, type RequestState, refKey, type TaskRef, type TaskStore } from '../../stores/store.js';
import type { TaskAt } from '../log/task-at-input.js';
import type { TaskWriter } from '../log/writer.js';
import type { Lease } from '../node/lease.js';

/**
 * The result of a send: `inputSeq` is the entry that took the message into the task's log, `writer` is the task's writer if it runs here.
 */
export type Sent = { readonly kind: 'message'; readonly message: Message } | TaskSent;

export interface TaskSent {
  readonly kind: 'task';
  readonly ref: TaskRef;
  readonly inputSeq: number;
  /** The task as it was before it took the message, if it was waiting. */
  readonly before?: TaskAt | undefined;
  /** The writer of the task, if this node owns it. */
  readonly writer: TaskWriter | undefined;
  /** The server closes before the message was taken: a waiting caller gets the current task. */
  readonly isLeft?: boolean;
}

export interface RequestsParts {
  readonly store: TaskStore;
  readonly clock: Clock;
  readonly lease: Lease;
  readonly node: string;
}

interface Keyed {
  readonly key: RequestKey;
  /** The part of a send that must be equal in a repetition. */
  readonly params: unknown;
}

interface Ways {
  /** Delivers the message for the first time, or again because the node that delivered it before is dead. */
  deliver(begun: BegunRequest, attempt: number): Promise<Sent>;
  /** The send already has a task. `row` is its inbox row if the task existed before the send. */
  attach(taskId: string, row: number | undefined): Promise<Sent>;
}

/** How often a node checks a request that runs on another node. */
const POLL_MS = 250;

interface Running {
  readonly hash: Promise<string>;
  readonly sent: Promise<Sent>;
}

export class Requests {
  readonly #parts: RequestsParts;
  /** Requests in flight on this node: a repetition waits for the same answer. */
  readonly #running = new Map<string, Running>();

  constructor(parts: RequestsParts) {
    this.#parts = parts;
  }

  /** Delivers the message, or returns the result of its earlier delivery. Of two concurrent sends, only the first is delivered. */
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
    if (!lease.isHeld) await lease.hold(); // without a lease, any node could take over the request
    for (;;) {
      const state = await store.beginRequest(key, hash, node);
      if (state.kind === 'conflict') throw conflict();
      if (state.kind === 'new') return this.#deliver({ key, node }, (begun) => ways.deliver(begun, state.attempt));
      const sent = await answered(state, ways);
      if (sent) return sent;
      await new Promise<void>((resolve) => clock.after(POLL_MS, resolve));
    }
  }

  /** A Message is stored as the result; an error is not, so that the next try starts again. */
  async #deliver(begun: BegunRequest, deliver: (begun: BegunRequest) => Promise<Sent>): Promise<Sent> {
    const { store } = this.#parts;
    try {
      const sent = await deliver(begun);
      if (sent.kind === 'message') await store.endRequest(begun.key, JSON.stringify(sent.message));
      return sent;
    } catch (error) {
      await store.dropRequest(begun).catch(() => {}); // already reported; the next try counts as a new request
      throw error;
    }
  }
}

/** The same answer for the same body; otherwise a conflict. */
async function join({ hash, sent }: Running, own: Promise<string>): Promise<Sent> {
  if ((await hash) !== (await own)) throw conflict();
  return sent;
}

/** Undefined while the request runs on another node and has no task yet. */
async function answered(state: Extract<RequestState, { kind: 'running' | 'done' }>, { attach }: Ways): Promise<Sent | undefined> {
  if (state.kind === 'done' && state.replyJson !== undefined) return { kind: 'message', message: JSON.parse(state.replyJson) };
  return state.taskId === undefined ? undefined : attach(state.taskId, state.row);
}

/** Hashes the parsed params, so that the binding and the order of members do not matter. */
async function hashOf(params: unknown): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(stableJson(params)));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const conflict = (): A2AError =>
  new A2AError('IDEMPOTENCY_CONFLICT', 'this idempotency key was already used for a different request; use a new key for each message');
