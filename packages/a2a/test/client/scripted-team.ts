/** Scripted agents for a coordinator. */
import type { Client, Run } from '../../src/client/client.js';
import { type Coordinator, type CoordinatorOptions, createCoordinator } from '../../src/client/coordinator/create-coordinator.js';
import type { Input, RunOptions } from '../../src/client/run/run-options.js';
import type { Reply } from '../../src/client/run/update.js';
import { A2AError } from '../../src/protocol/errors.js';
import { manualClock } from '../../src/testing/manual-clock.js';

export const replyOf = (text: string): Reply => ({
  kind: 'message',
  message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text }] },
  text,
  artifacts: [],
  contextId: undefined,
  finishReason: 'completed',
});

export const unavailable = (): A2AError => new A2AError('AGENT_UNAVAILABLE', 'not today');

export interface Scripted extends Client {
  readonly asked: { readonly message: Input; readonly options: RunOptions }[];
  /** The calls of cancel, detach and close, in order. */
  readonly events: string[];
  answer(text: string): void;
  fail(error: A2AError): void;
}

/** A client whose runs end when the test calls `answer` or `fail`, or at once with the result of `at`. */
export function scripted(name: string, at?: () => Reply | A2AError): Scripted {
  const asked: Scripted['asked'] = [];
  const events: string[] = [];
  const waiting: { resolve(reply: Reply): void; reject(error: A2AError): void }[] = [];
  const end = (result: Reply | A2AError): void => {
    for (const { resolve, reject } of waiting.splice(0)) result instanceof A2AError ? reject(result) : resolve(result);
  };
  const run = (message: Input, options: RunOptions = {}): Run => {
    asked.push({ message, options });
    const result = new Promise<Reply>((resolve, reject) => {
      waiting.push({ resolve, reject });
      options.signal?.addEventListener('abort', () => reject(new A2AError('ABORTED', 'left')), { once: true });
    });
    const now = at?.();
    if (now !== undefined) end(now);
    return {
      result,
      taskId: undefined,
      contextId: undefined,
      place: undefined,
      cancel: async () => {
        events.push('cancel');
        return undefined;
      },
      detach: () => void events.push('detach'),
      async *[Symbol.asyncIterator]() {},
    };
  };
  const close = async (): Promise<void> => void events.push('close');
  const client: Pick<Scripted, 'url' | 'run' | 'close' | 'asked' | 'events' | 'answer' | 'fail'> = {
    url: `https://${name}.test`,
    run,
    close,
    asked,
    events,
    answer: (text) => end(replyOf(text)),
    fail: end,
  };
  return client as Scripted; // the coordinator uses only these members
}

/** Three agents that answer on request, with a manual clock. */
export function team(extra: Omit<Partial<CoordinatorOptions<'a' | 'b' | 'c'>>, 'agents'> = {}) {
  const clock = manualClock(1_000);
  const [a, b, c] = [scripted('a'), scripted('b'), scripted('c')];
  return { a, b, c, clock, coordinator: createCoordinator({ agents: { a, b, c }, clock, ...extra }) };
}

/** Runs all pending microtasks. */
export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

export const kinds = ({ outcomes }: Awaited<ReturnType<Coordinator['fanOut']>>): string[] =>
  outcomes.map((outcome) => `${outcome.agent} ${outcome.kind}${outcome.kind === 'skipped' ? ` ${outcome.reason}` : ''}`);
