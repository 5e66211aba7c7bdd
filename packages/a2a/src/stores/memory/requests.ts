import { type ContextRef, type RequestKey, type RequestState, refKey, type Scope, type TaskRef } from '../store.js';
import { isAlive, type NodeLease } from './nodes.js';
import { BYTES_PER_CHAR, type Usage } from './usage.js';

interface Request {
  readonly scope: Scope;
  /** Empty when the request was erased. */
  bodyHash: string;
  readonly at: number;
  readonly lease: NodeLease;
  readonly attempt: number;
  /** Empty when the reply of the request was erased. */
  taskId?: string;
  row?: number | undefined;
  replyJson?: string | undefined;
}

interface Beginning {
  readonly bodyHash: string;
  readonly lease: NodeLease;
  readonly now: number;
}

const LIFETIME_MS = 24 * 3_600_000;
/** Objects and index places beside the texts, measured roughly. */
const REQUEST_BYTES = 600;
const ERASED = '';
/** How many requests one call examines to find answered ones, so that it does not block the event loop. */
const EXAMINE_AT_ONCE = 1_000;

/** The idempotent requests. The map is ordered by `at`, so expired requests come first. */
export class Requests {
  readonly #requests = new Map<string, Request>();
  /** The names of the requests that led to a task or to one of its inbox rows, by the key of the task. */
  readonly #ofTask = new Map<string, string[]>();
  readonly #usage: Usage;

  constructor(usage: Usage) {
    this.#usage = usage;
  }

  /** `checkRoom` is called before a request is added, and may throw. */
  begin(key: RequestKey, { bodyHash, lease, now }: Beginning, checkRoom: () => void): RequestState {
    this.forgetExpired(now);
    const name = nameOf(key);
    const known = this.#requests.get(name);
    if (known !== undefined) {
      if (known.bodyHash !== bodyHash && known.bodyHash !== ERASED) return { kind: 'conflict' };
      if (known.replyJson !== undefined) return { kind: 'done', replyJson: known.replyJson };
      if (known.taskId !== undefined) return linked(known.taskId, known.row);
      if (known.lease !== lease && isAlive(known.lease, now)) return { kind: 'running' };
    } else checkRoom();
    const attempt = (known?.attempt ?? 0) + 1;
    this.#delete(name);
    const { agent, tenant, owner } = key;
    const request: Request = { scope: { agent, tenant, owner }, bodyHash, at: now, lease, attempt };
    this.#requests.set(name, request);
    this.#usage.add(bytesOf(name, request));
    return { kind: 'new', attempt };
  }

  /** False when the request was answered, or given to another node, after this node began it. */
  isOpenFor(key: RequestKey, lease: NodeLease): boolean {
    const known = this.#requests.get(nameOf(key));
    return known === undefined || (known.lease === lease && isOpen(known));
  }

  /** Links the request to a task, or to the inbox row `n` of the task. */
  link(key: RequestKey, taskId: string, n?: number): void {
    const name = nameOf(key);
    const known = this.#requests.get(name);
    if (known === undefined) return;
    known.taskId = taskId;
    known.row = n;
    const task = refKey({ ...known.scope, id: taskId });
    const names = this.#ofTask.get(task);
    if (names === undefined) this.#ofTask.set(task, [name]);
    else names.push(name);
  }

  end(key: RequestKey, replyJson: string): void {
    const known = this.#requests.get(nameOf(key));
    if (known === undefined || !isOpen(known)) return;
    known.replyJson = replyJson;
    this.#usage.add(replyJson.length * BYTES_PER_CHAR);
  }

  drop(key: RequestKey, lease: NodeLease): void {
    if (this.isOpenFor(key, lease)) this.#delete(nameOf(key));
  }

  forgetExpired(now: number): void {
    for (const [name, { at }] of this.#requests) {
      if (now - at < LIFETIME_MS) return;
      this.#delete(name);
    }
  }

  /** Forgets the content of the requests of this task. Their keys stay, so that a repeated send does not run again. */
  eraseOf(task: TaskRef): void {
    for (const name of this.#ofTask.get(refKey(task)) ?? []) {
      const known = this.#requests.get(name);
      if (known !== undefined) known.bodyHash = ERASED;
    }
  }

  /** The same for the requests that were answered with a Message of this context. */
  eraseReplies(context: ContextRef): void {
    for (const request of this.#requests.values()) {
      const { replyJson } = request;
      if (replyJson === undefined || !isOf(request.scope, context) || contextOf(replyJson) !== context.contextId) continue;
      this.#usage.add(-replyJson.length * BYTES_PER_CHAR);
      request.bodyHash = ERASED;
      request.replyJson = undefined;
      request.taskId = '';
    }
  }

  /** Deletes the oldest requests that have a reply, or whose task is gone. Returns false when it found none. */
  dropAnswered(isGone: (ref: TaskRef) => boolean): boolean {
    let examined = 0;
    for (const [name, { scope, replyJson, taskId }] of this.#requests) {
      if (replyJson !== undefined || (taskId !== undefined && isGone({ ...scope, id: taskId }))) {
        this.#delete(name);
        return true;
      }
      examined += 1;
      if (examined >= EXAMINE_AT_ONCE) return false;
    }
    return false;
  }

  #delete(name: string): void {
    const known = this.#requests.get(name);
    if (known === undefined) return;
    this.#requests.delete(name);
    this.#usage.add(-bytesOf(name, known));
    if (known.taskId !== undefined) this.#unlink(name, refKey({ ...known.scope, id: known.taskId }));
  }

  #unlink(name: string, task: string): void {
    const names = this.#ofTask.get(task)?.filter((other) => other !== name) ?? [];
    if (names.length > 0) this.#ofTask.set(task, names);
    else this.#ofTask.delete(task);
  }
}

/** The body hash is counted as if it were there: it is erased, but never changed otherwise. */
function bytesOf(name: string, { replyJson = '' }: Request): number {
  return REQUEST_BYTES + (name.length + replyJson.length) * BYTES_PER_CHAR;
}

function isOf(scope: Scope, { agent, tenant, owner }: Scope): boolean {
  return scope.agent === agent && scope.tenant === tenant && scope.owner === owner;
}

function contextOf(replyJson: string): unknown {
  const reply: { contextId?: unknown } | null = JSON.parse(replyJson);
  return reply?.contextId;
}

function linked(taskId: string, row: number | undefined): RequestState {
  return row === undefined ? { kind: 'running', taskId } : { kind: 'running', taskId, row };
}

function isOpen(request: Request): boolean {
  return request.taskId === undefined && request.replyJson === undefined;
}

function nameOf({ agent, tenant, owner, key }: RequestKey): string {
  return refKey({ agent, tenant, owner, id: key });
}
