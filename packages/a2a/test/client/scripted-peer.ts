/** A scripted agent: each call gets the next step, and all calls are recorded. */
import type { Peer, StreamedEvent } from '../../src/client/call.js';
import type { Calling, OpenOptions, RunSettings } from '../../src/client/calling.js';
import type { Run } from '../../src/client/client.js';
import type { Update } from '../../src/client/run/update.js';
import { silentLogger } from '../../src/platform/logger.js';
import { A2AError, A2ATransportError, isA2AError } from '../../src/protocol/errors.js';
import type { AgentCapabilities, AgentCard, Artifact, Message, Part, StreamResponse, Task, TaskState } from '../../src/protocol/types.js';
import { type ManualClock, manualClock } from '../../src/testing/manual-clock.js';

export interface RecordedCall {
  readonly method: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect the params of any method
  readonly params: any;
  readonly options: OpenOptions;
}

/** What a stream does after its events: it ends, drops, stays silent, or fails with an error. */
export type StreamEnd = 'end' | 'drop' | 'stall' | A2AError;

export type Step =
  | {
      readonly events: Iterable<StreamResponse | StreamedEvent> | AsyncIterable<StreamResponse | StreamedEvent>;
      readonly end?: StreamEnd;
      readonly retryMs?: number;
    }
  | { readonly value: unknown }
  | { readonly error: A2AError }
  /** Never responds. */
  | 'silence'
  | ((call: RecordedCall) => Exclude<Step, () => Step> | Promise<Exclude<Step, () => Step>>);

export interface PeerOptions {
  readonly streaming?: boolean;
  /** Has the log extension: numbers its events and knows idempotency keys. */
  readonly log?: boolean;
  readonly key?: string;
  readonly card?: Partial<AgentCard>;
  readonly capabilities?: AgentCapabilities;
  readonly clock?: ManualClock;
  readonly settings?: Partial<RunSettings>;
}

export interface ScriptedPeer extends Calling {
  readonly clock: ManualClock;
  readonly calls: readonly RecordedCall[];
  readonly methods: readonly string[];
  /** The errors that `onError` received. */
  readonly errors: readonly A2AError[];
  /** The number of streams that are not closed. */
  readonly openStreams: number;
  /** The number of events that were read from streams. */
  readonly taken: number;
}

const AGENT_URL = 'http://agent.test';

export function scriptedPeer(steps: readonly Step[], options: PeerOptions = {}): ScriptedPeer {
  const clock = options.clock ?? manualClock();
  const calls: RecordedCall[] = [];
  const errors: A2AError[] = [];
  const state = { open: 0, taken: 0 };
  const script = [...steps];
  let ids = 0;

  const answer = async (method: string, params: unknown, call: OpenOptions = {}): Promise<Exclude<Step, () => Step>> => {
    const recorded = { method, params, options: call };
    calls.push(recorded);
    if (call.signal?.aborted) throw new A2AError('ABORTED', 'aborted');
    const step = script.shift();
    if (step === undefined) throw new Error(`The script has no step for call ${calls.length}, ${method}`);
    const told = typeof step === 'function' ? await step(recorded) : step;
    if (told === 'silence') return untilAborted(call.signal);
    if ('error' in told) throw told.error;
    return told;
  };

  return {
    clock,
    calls,
    errors,
    get methods() {
      return calls.map(({ method }) => method);
    },
    get openStreams() {
      return state.open;
    },
    get taken() {
      return state.taken;
    },
    settings: {
      clock,
      random: () => 0.5,
      newId: () => {
        ids += 1;
        return `id-${ids}`;
      },
      logger: silentLogger,
      retries: true,
      mode: 'auto',
      assumeStreaming: false,
      pollingIntervalMs: 500,
      maxTaskBytes: 64 * 1024 * 1024,
      reconnect: { maxRetries: 3, initialDelayMs: 500, multiplier: 1, maxDelayMs: 30_000, jitter: false, refillOnProgress: true },
      onError: (error) => {
        errors.push(error);
      },
      ...options.settings,
    },
    peer: async () => peerOf(options),
    async value(method, params, call) {
      const step = await answer(method, params, call);
      if (typeof step !== 'object' || !('value' in step)) throw new Error(`The script has no value for ${method}`);
      return step.value as never; // the test provides the result type of the method
    },
    async open(method, params, call) {
      const step = await answer(method, params, call);
      if (typeof step !== 'object' || !('events' in step)) throw new Error(`The script has no stream for ${method}`);
      return openStream(step, call?.signal, state);
    },
  };
}

function peerOf({ streaming = true, log = false, key = AGENT_URL, card, capabilities }: PeerOptions): Peer {
  const at = { url: key, protocolBinding: 'JSONRPC', protocolVersion: '1.0' };
  const whole: AgentCard = {
    name: 'Scripted',
    description: '',
    version: '1',
    supportedInterfaces: [at],
    capabilities: { streaming, ...capabilities },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
    ...card,
  };
  return { key, name: whole.name, card: whole, interfaces: [at], log: { lastEventId: log, idempotencyKey: log } };
}

function openStream(
  { events, end = 'end', retryMs }: Extract<Step, { events: unknown }>,
  signal: AbortSignal | undefined,
  state: { open: number; taken: number },
) {
  let isClosed = false;
  let close = (): void => {};
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  state.open += 1;
  const shut = (): void => {
    if (isClosed) return;
    isClosed = true;
    state.open -= 1;
    close();
  };
  async function* read(): AsyncGenerator<StreamedEvent> {
    try {
      for await (const event of events) {
        if (isClosed) return;
        state.taken += 1;
        yield 'response' in event ? event : { seq: undefined, response: event };
      }
      if (end === 'stall') await Promise.race([closed, untilAborted(signal)]);
      if (isClosed) return;
      if (end === 'drop') throw new A2ATransportError('network', 'the connection broke', { sent: true });
      if (isA2AError(end)) throw end;
    } finally {
      shut();
    }
  }
  return { retryMs, close: shut, [Symbol.asyncIterator]: read };
}

function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new A2AError('ABORTED', 'aborted')), { once: true });
  });
}

/** All updates of a run. */
export async function collect(run: Run): Promise<Update[]> {
  const updates: Update[] = [];
  for await (const update of run) updates.push(update);
  return updates;
}

// Events and messages of agents.

export const TASK = 'task-1';
export const CONTEXT = 'context-1';

export function theTask(state: TaskState, more: Partial<Task> & { readonly said?: Message } = {}): Task {
  const { said, ...rest } = more;
  return { id: TASK, contextId: CONTEXT, status: { state, ...(said && { message: said }) }, ...rest };
}

export function task(state: TaskState, more: Parameters<typeof theTask>[1] = {}): StreamResponse {
  return { task: theTask(state, more) };
}

export function status(state: TaskState, said?: Message | string, timestamp?: string): StreamResponse {
  const message = typeof said === 'string' ? says(said) : said;
  return {
    statusUpdate: { taskId: TASK, contextId: CONTEXT, status: { state, ...(message && { message }), ...(timestamp && { timestamp }) } },
  };
}

export function chunk(
  text: string,
  more: { readonly append?: boolean; readonly last?: boolean; readonly id?: string; parts?: Part[] } = {},
): StreamResponse {
  const { append = true, last, id = 'answer', parts = [{ text }] } = more;
  return {
    artifactUpdate: {
      taskId: TASK,
      contextId: CONTEXT,
      artifact: { artifactId: id, parts },
      append,
      ...(last !== undefined && { lastChunk: last }),
    },
  };
}

export function artifact(...texts: string[]): Artifact {
  return { artifactId: 'answer', parts: texts.map((text) => ({ text })) };
}

let said = 0;

export function says(text: string, more: Partial<Message> = {}): Message {
  said += 1;
  return { messageId: `said-${said}`, role: 'ROLE_AGENT', parts: [{ text }], ...more };
}

/** Numbers the events as a Parley server does. */
export function numbered(events: readonly StreamResponse[], from = 2): StreamedEvent[] {
  return events.map((response, index) => ({ seq: from + index, response }));
}
