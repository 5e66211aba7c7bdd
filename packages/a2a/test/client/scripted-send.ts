/** A scripted peer for tests of interceptors. It records its calls. */
import type { ClientCall, ClientInterceptor, ClientMethod, ClientReply, EventStream, Peer, Send } from '../../src/client/call.js';
import { composeSend } from '../../src/client/call.js';
import { createBudget } from '../../src/client/resilience/budget.js';
import type { LogFields, Logger } from '../../src/platform/logger.js';
import { A2AError, A2ATransportError, type ErrorReason } from '../../src/protocol/errors.js';
import { type ManualClock, manualClock } from '../../src/testing/manual-clock.js';

/** An error is thrown, a number is an HTTP status, 'ok' is a task, 'stream' an open stream, 'hang' waits for the signal. */
export type Step = A2AError | number | 'ok' | 'stream' | 'hang';

export interface Scripted {
  readonly send: Send;
  readonly calls: ClientCall[];
  /** The time of each call, relative to the start. */
  readonly times: number[];
  /** Streams that were closed. */
  closed: number;
  /** Calls that are in flight now, and the maximum so far. */
  open: number;
  most: number;
}

/** The last step is repeated. */
export function scriptedSend(clock: ManualClock, steps: readonly Step[]): Scripted {
  const startedAt = clock.now();
  const peer: Scripted = {
    calls: [],
    times: [],
    closed: 0,
    open: 0,
    most: 0,
    async send(call) {
      peer.calls.push(call);
      peer.times.push(clock.now() - startedAt);
      peer.open += 1;
      peer.most = Math.max(peer.most, peer.open);
      try {
        const step = steps[Math.min(peer.calls.length, steps.length) - 1] ?? 'ok';
        if (step === 'hang') return await hang(call.signal);
        if (typeof step === 'number') throw httpError(step);
        if (step instanceof A2AError) throw step;
        await Promise.resolve();
        return step === 'ok' ? OK : { kind: 'stream', events: openStream(() => (peer.closed += 1)), extensions: [] };
      } finally {
        peer.open -= 1;
      }
    },
  };
  return peer;
}

const TASK = { id: 't1', status: { state: 'TASK_STATE_COMPLETED' } } as const;
const OK: ClientReply = { kind: 'value', value: TASK, extensions: [] };

function openStream(onClose: () => void): EventStream {
  return {
    retryMs: undefined,
    close: onClose,
    async *[Symbol.asyncIterator]() {
      yield { seq: 1, response: { task: TASK } };
    },
  };
}

function hang(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new A2AError('ABORTED', 'The caller left', { cause: signal.reason })), { once: true });
  });
}

const STATUS_REASONS: Readonly<Record<number, ErrorReason>> = {
  401: 'AUTH_REQUIRED',
  429: 'RATE_LIMITED',
  502: 'AGENT_UNAVAILABLE',
  503: 'AGENT_UNAVAILABLE',
  504: 'TASK_TIMEOUT',
};

/** The error for a response with a status and an empty body. */
export function httpError(httpStatus: number, retryAfterMs?: number): A2AError {
  return new A2AError(STATUS_REASONS[httpStatus] ?? 'INTERNAL_ERROR', `HTTP ${httpStatus}`, { httpStatus, retryAfterMs });
}

export const refused = (): A2ATransportError =>
  new A2ATransportError('network', 'The agent could not be reached', {
    sent: false,
    cause: Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' }),
  });

export const broken = (): A2ATransportError => new A2ATransportError('network', 'The connection broke before the response', { sent: true });

export function peerOf(key: string, more: Partial<Peer> = {}): Peer {
  return { key, name: key, card: undefined, interfaces: [], log: { lastEventId: false, idempotencyKey: false }, ...more };
}

export const LOG_PEER = peerOf('http://log.test/', { log: { lastEventId: true, idempotencyKey: true } });

const PARAMS: Partial<Record<ClientMethod, ClientCall['params']>> = {
  SendMessage: { message: { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'a secret of the caller' }] } },
  SendStreamingMessage: { message: { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'a secret of the caller' }] } },
  GetAgentCard: { url: 'http://agent.test/' },
};

export interface Bench {
  readonly clock: ManualClock;
  readonly random: () => number;
  readonly logger: Logger;
  readonly lines: { readonly level: keyof Logger; readonly fields: LogFields; readonly text: string }[];
  call(method: ClientMethod, more?: Partial<ClientCall>): ClientCall;
  /** Wraps the peer in these interceptors. */
  chain(peer: Scripted, ...interceptors: readonly ClientInterceptor[]): Send;
}

/** Clock, log and calls for one test. Random values are 1, so delays have their full length. */
export function bench(): Bench {
  const clock = manualClock();
  const lines: Bench['lines'] = [];
  const at = (level: keyof Logger) => (fields: LogFields, text: string) => void lines.push({ level, fields, text });
  return {
    clock,
    lines,
    random: () => 1,
    logger: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') },
    call: (method, more = {}) => ({
      method,
      params: PARAMS[method] ?? { id: 't1' },
      peer: peerOf('http://agent.test/'),
      requestId: 'r1',
      attempt: 1,
      headers: {},
      extensions: [],
      signal: undefined,
      timeouts: {},
      budget: createBudget({ clock }),
      idempotencyKey: 'k1',
      ...more,
    }),
    chain: (peer, ...interceptors) => composeSend(peer.send, interceptors),
  };
}

/** The outcome of a promise. It subscribes at once, so that no rejection is unhandled while the clock advances. */
export function outcome<T>(promise: Promise<T>): { readonly done: () => boolean; value: T | undefined; error: unknown } {
  const seen: { done: () => boolean; value: T | undefined; error: unknown } = { done: () => false, value: undefined, error: undefined };
  promise.then(
    (value) => {
      seen.value = value;
      seen.done = () => true;
    },
    (error) => {
      seen.error = error;
      seen.done = () => true;
    },
  );
  return seen;
}

/** A signal that counts its listeners. */
export function countedSignal(): { readonly controller: AbortController; readonly listeners: () => number } {
  const controller = new AbortController();
  const { signal } = controller;
  const known = new Set<unknown>();
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    known.add(args[1]);
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    known.delete(args[1]);
    remove(...args);
  };
  return { controller, listeners: () => (signal.aborted ? 0 : known.size) };
}
