/** The idempotent requests of the naive store. */
import type { ContextRef, RequestKey, RequestState, TaskRef } from '../src/stores/store.js';
import type { Node } from './naive-task.js';

interface Request {
  key: RequestKey;
  name: string;
  hash: string;
  at: number;
  node: Node;
  attempt: number;
  taskId?: string;
  row?: number | undefined;
  replyJson?: string | undefined;
}

const DAY_MS = 86_400_000;

const nameOf = ({ agent, tenant, owner, key }: RequestKey): string => JSON.stringify([agent, tenant, owner, key]);

export const isAnswered = (request: Request): boolean => request.taskId !== undefined || request.replyJson !== undefined;

const isIn = (key: RequestKey, { agent, tenant, owner }: Omit<RequestKey, 'key'>): boolean =>
  key.agent === agent && key.tenant === tenant && key.owner === owner;

export class NaiveRequests {
  #requests: Request[] = [];

  begin(key: RequestKey, by: { hash: string; node: Node; now: number }, isOver: (taskId: string) => boolean): RequestState {
    this.forget(by.now);
    const known = this.find(key);
    if (known && known.hash !== by.hash && known.hash !== '') return { kind: 'conflict' };
    if (known?.replyJson !== undefined) return { kind: 'done', replyJson: known.replyJson };
    if (known?.taskId !== undefined) {
      const { taskId, row } = known;
      return { kind: isOver(taskId) ? 'done' : 'running', taskId, ...(row !== undefined && { row }) };
    }
    if (known && known.node !== by.node && known.node.until > by.now) return { kind: 'running' };
    const attempt = (known?.attempt ?? 0) + 1;
    this.drop(key);
    this.#requests.push({ key, name: nameOf(key), hash: by.hash, at: by.now, node: by.node, attempt });
    return { kind: 'new', attempt };
  }

  find(key: RequestKey): Request | undefined {
    return this.#requests.find(({ name }) => name === nameOf(key));
  }

  drop(key: RequestKey): void {
    this.#requests = this.#requests.filter((request) => request.name !== nameOf(key) || isAnswered(request));
  }

  eraseTask(task: TaskRef): void {
    for (const request of this.#requests) if (isIn(request.key, task) && request.taskId === task.id) request.hash = '';
  }

  eraseReplies(context: ContextRef): void {
    for (const request of this.#requests) {
      if (request.replyJson === undefined || !isIn(request.key, context)) continue;
      if (JSON.parse(request.replyJson).contextId === context.contextId)
        Object.assign(request, { hash: '', taskId: '', replyJson: undefined });
    }
  }

  forget(now: number): void {
    this.#requests = this.#requests.filter(({ at }) => now - at < DAY_MS);
  }
}
