/** A client that uses only fetch, over HTTP+JSON. */
import type { Clock, Message, Part, StreamResponse, Task } from '@parley/a2a';

export interface Event extends StreamResponse {
  /** The id of the server-sent event. */
  readonly id: number;
}

interface Sent {
  readonly taskId?: string;
  readonly contextId?: string;
  readonly parts?: readonly Part[];
  readonly returnImmediately?: boolean;
}

export interface Client {
  /** The reply to SendMessage; throws on an error status. */
  send(text: string, more?: Sent): Promise<{ readonly task: Task; readonly message?: Message }>;
  /** The events of SendStreamingMessage, up to the end of the stream. */
  stream(text: string, more?: Sent): Promise<readonly Event[]>;
  subscribe(taskId: string, lastEventId?: number): Promise<readonly Event[]>;
  cancel(taskId: string): Promise<Task>;
  post(path: string, body: unknown): Promise<Response>;
}

export function connect(url: string): Client {
  const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'a2a-version': '1.0', 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const subscribe: Client['subscribe'] = async (taskId, lastEventId) =>
    toEvents(await post(`/tasks/${taskId}:subscribe`, {}, lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) }));
  return {
    post,
    subscribe,
    send: async (text, more) => readJson(await post('/message:send', toRequest(text, more))),
    stream: async (text, more) => toEvents(await post('/message:stream', toRequest(text, more))),
    cancel: async (taskId) => readJson(await post(`/tasks/${taskId}:cancel`, {})),
  };
}

function toRequest(text: string, { parts, returnImmediately = false, ...ids }: Sent = {}): unknown {
  const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: parts ?? [{ text }], ...ids };
  return { message, configuration: { returnImmediately } };
}

/** The JSON body of a successful response. */
// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of it
export async function readJson(response: Response): Promise<any> {
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
}

async function toEvents(response: Response): Promise<readonly Event[]> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text}`);
  return text.split('\n\n').flatMap((frame) => {
    const [, data] = /^data: (.*)$/m.exec(frame) ?? [];
    const [, id = 'NaN'] = /^id: (\d+)$/m.exec(frame) ?? [];
    return data === undefined ? [] : [{ ...JSON.parse(data), id: Number(id) }];
  });
}

/** The text of an artifact, with its chunks joined. */
export function textOf(task: Task | undefined, artifactId: string): string {
  const artifact = task?.artifacts?.find((one) => one.artifactId === artifactId);
  return (artifact?.parts ?? []).map(({ text = '' }) => text).join('');
}

/** The outline of a stream, one word per event: states, and ids of artifacts. */
export function outline(events: readonly Event[]): readonly string[] {
  return events.map(({ task, statusUpdate, artifactUpdate, message }) => {
    if (artifactUpdate) return `${artifactUpdate.append ? '+' : ''}${artifactUpdate.artifact.artifactId}`;
    const state = (task ?? statusUpdate)?.status.state.replace('TASK_STATE_', '');
    return state ?? (message ? 'message' : '?');
  });
}

/** A clock that runs 40 times as fast: an hour takes a minute and a half. */
export const fastClock: Clock = {
  now: () => Date.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs / 40);
    return () => clearTimeout(timer);
  },
  soon: (callback) => {
    setImmediate(callback);
  },
};
