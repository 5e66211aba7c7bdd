import { type RequestKey, type RequestState, refKey } from '../store.js';
import { isAlive, type NodeLease } from './nodes.js';

interface Request {
  readonly bodyHash: string;
  readonly at: number;
  readonly lease: NodeLease;
  readonly attempt: number;
  taskId?: string;
  row?: number | undefined;
  replyJson?: string;
}

const LIFETIME_MS = 24 * 3_600_000;

/** The idempotent requests. The map is ordered by `at`, so expired requests come first. */
export class Requests {
  readonly #requests = new Map<string, Request>();

  begin(key: RequestKey, bodyHash: string, lease: NodeLease, now: number): RequestState {
    this.forgetExpired(now);
    const name = nameOf(key);
    const known = this.#requests.get(name);
    if (known !== undefined) {
      if (known.bodyHash !== bodyHash) return { kind: 'conflict' };
      if (known.replyJson !== undefined) return { kind: 'done', replyJson: known.replyJson };
      if (known.taskId !== undefined) return linked(known.taskId, known.row);
      if (known.lease !== lease && isAlive(known.lease, now)) return { kind: 'running' };
    }
    const attempt = (known?.attempt ?? 0) + 1;
    this.#requests.delete(name);
    this.#requests.set(name, { bodyHash, at: now, lease, attempt });
    return { kind: 'new', attempt };
  }

  /** False when the request was answered, or given to another node, after this node began it. */
  isOpenFor(key: RequestKey, lease: NodeLease): boolean {
    const known = this.#requests.get(nameOf(key));
    return known === undefined || (known.lease === lease && isOpen(known));
  }

  link(key: RequestKey, taskId: string, row?: number): void {
    const known = this.#requests.get(nameOf(key));
    if (known === undefined) return;
    known.taskId = taskId;
    known.row = row;
  }

  end(key: RequestKey, replyJson: string): void {
    const known = this.#requests.get(nameOf(key));
    if (known !== undefined && isOpen(known)) known.replyJson = replyJson;
  }

  drop(key: RequestKey, lease: NodeLease): void {
    if (this.isOpenFor(key, lease)) this.#requests.delete(nameOf(key));
  }

  forgetExpired(now: number): void {
    for (const [name, { at }] of this.#requests) {
      if (now - at < LIFETIME_MS) return;
      this.#requests.delete(name);
    }
  }
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
