/** Calls an agent without a transport, and validates every message that it returns against the strict schema. */
import { checkOutput } from '#output-check';
import { toA2AError } from '../src/protocol/errors.js';
import type { MethodName, RequestOf } from '../src/protocol/methods.js';
import { METHODS } from '../src/protocol/methods.js';
import type { JsonObject, Message, MessageTypes, Part, StreamResponse, Task } from '../src/protocol/types.js';
import type { Agent } from '../src/server/agent.js';
import { ANONYMOUS, type Call, type Caller, type Frame, type ReadEnd, type Reply } from '../src/server/call.js';

export type CallOptions = Partial<
  Pick<
    Call,
    'caller' | 'share' | 'extensions' | 'lastEventId' | 'idempotencyKey' | 'keyScope' | 'onLeave' | 'exposed' | 'requestId' | 'trace'
  >
>;

/** One event of a stream: its seq, and the StreamResponse. */
export type Seen = StreamResponse & { readonly seq?: number };

let messages = 0;

/** A user's message, with a new id each time. */
export function say(content: string | readonly Part[], fields: Partial<Message> = {}): Message {
  messages += 1;
  const parts = typeof content === 'string' ? [{ text: content }] : content;
  return { messageId: `m-${messages}`, role: 'ROLE_USER', parts, ...fields };
}

/** A caller of this agent. `common` applies to all its calls. */
export function callerOf(agent: Agent, caller: Caller = ANONYMOUS, common: CallOptions = {}) {
  const handle = <M extends MethodName>(method: M, params: RequestOf<M>, options: CallOptions = {}): Promise<Reply> =>
    agent.handle({ method, params, caller, requestId: 'r-1', extensions: [], ...common, ...options } as Call);

  async function value<M extends MethodName>(
    method: M,
    params: RequestOf<M>,
    options?: CallOptions,
  ): Promise<MessageTypes[(typeof METHODS)[M]['response']]> {
    const reply = await handle(method, params, options);
    if (reply.kind !== 'value') throw new Error(`${method} gave a stream`);
    checkOutput(METHODS[method].response, reply.json);
    return JSON.parse(reply.json);
  }

  async function open<M extends MethodName>(method: M, params: RequestOf<M>, options?: CallOptions): Promise<Reader> {
    const reply = await handle(method, params, options);
    if (reply.kind !== 'stream') throw new Error(`${method} gave a value`);
    return new Reader(reply);
  }

  return {
    handle,
    value,
    open,
    send: (content: string | Message, configuration?: RequestOf<'SendMessage'>['configuration'], options?: CallOptions) =>
      value(
        'SendMessage',
        { message: typeof content === 'string' ? say(content) : content, ...(configuration && { configuration }) },
        options,
      ),
    /** A send that must return a Task. */
    async task(content: string | Message, configuration?: RequestOf<'SendMessage'>['configuration']): Promise<Task> {
      const { task } = await this.send(content, configuration);
      if (task === undefined) throw new Error('the response is not a Task');
      return task;
    },
    stream: (content: string | Message, options?: CallOptions) =>
      open('SendStreamingMessage', { message: typeof content === 'string' ? say(content) : content }, options),
    subscribe: (id: string, lastEventId?: string) => open('SubscribeToTask', { id }, lastEventId === undefined ? {} : { lastEventId }),
    get: (id: string, historyLength?: number) => value('GetTask', historyLength === undefined ? { id } : { id, historyLength }),
    cancel: (id: string, metadata?: JsonObject) => value('CancelTask', { id, metadata }),
    list: (params: RequestOf<'ListTasks'> = {}, options?: CallOptions) => value('ListTasks', params, options),
  };
}

/** Reads a stream and keeps its events. */
export class Reader {
  readonly seen: Seen[] = [];
  /** Resolves with the way in which the stream ended. */
  readonly ended: Promise<ReadEnd>;
  readonly #reading: { resume(): void; close(): void };
  #waiting: { enough(): boolean; resolve(): void; reject(error: unknown): void }[] = [];
  /** The error of the strict schema. Waiting calls reject with it, because the server only closes a sink that throws. */
  #bad: unknown;
  /** False makes this a reader that is full after each batch. */
  hungry = true;

  constructor(reply: Extract<Reply, { kind: 'stream' }>) {
    let end: (why: ReadEnd) => void = () => {};
    this.ended = new Promise((resolve) => {
      end = resolve;
    });
    this.#reading = reply.open({
      send: (frames) => {
        try {
          for (const frame of frames) this.#see(frame);
        } catch (bad) {
          this.#bad = bad;
          end({ kind: 'error', error: toA2AError(bad) });
        }
        this.#notify();
        return this.hungry;
      },
      end,
    });
  }

  #see({ json, seq }: Frame): void {
    checkOutput('StreamResponse', json);
    this.seen.push({ ...(seq !== undefined && { seq }), ...JSON.parse(json) });
  }

  /** All events, once the stream has ended. */
  async all(): Promise<readonly Seen[]> {
    const why = await this.ended;
    if (why.kind === 'error') throw this.#bad ?? why.error;
    return this.seen;
  }

  /** Waits until there are `count` events. */
  until(count: number): Promise<readonly Seen[]> {
    return this.when(() => this.seen.length >= count);
  }

  async when(enough: () => boolean): Promise<readonly Seen[]> {
    await new Promise<void>((resolve, reject) => {
      this.#waiting.push({ enough, resolve, reject });
      this.#notify();
    });
    return this.seen;
  }

  resume(): void {
    this.#reading.resume();
  }

  close(): void {
    this.#reading.close();
  }

  get states(): readonly string[] {
    return this.seen.flatMap(({ task, statusUpdate }) => {
      const state = statusUpdate?.status.state ?? task?.status.state;
      return state === undefined ? [] : [state.replace('TASK_STATE_', '')];
    });
  }

  get text(): string {
    return this.seen.flatMap(({ artifactUpdate }) => artifactUpdate?.artifact.parts.map(({ text }) => text ?? '') ?? []).join('');
  }

  #notify(): void {
    if (this.#bad) for (const { reject } of this.#waiting.splice(0)) reject(this.#bad);
    const done = this.#waiting.filter(({ enough }) => enough());
    this.#waiting = this.#waiting.filter((waiting) => !done.includes(waiting));
    for (const { resolve } of done) resolve();
  }
}

/** A promise that the test resolves; scripts wait for it. */
export function gate(): { readonly passed: Promise<void>; open(): void } {
  let open = (): void => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}
