/** Asks one agent once. The outcome always settles, and the attempt can be stopped before that. */
import type { Clock } from '../../protocol/clock.js';
import { A2AError, toA2AError } from '../../protocol/errors.js';
import type { ClientCall, ClientReply, Send } from '../call.js';
import type { Client, Run } from '../client.js';
import { createBudget } from '../resilience/budget.js';
import type { Input, RunOptions } from '../run/run-options.js';
import type { Reply } from '../run/update.js';
import type { Outcome } from './outcome.js';
import type { Team } from './team.js';

export interface Attempt<N extends string> {
  readonly agent: N;
  /** Rejects only if the caller aborted or is itself canceled. */
  readonly outcome: Promise<Outcome<N>>;
  /** Stops waiting. With `cancel`, also cancels the task. No-op once the outcome is known. */
  stop(why: A2AError, cancel: boolean): void;
}

export interface Assignment<N extends string> {
  readonly agent: N;
  readonly message: Input;
  readonly options: RunOptions;
}

/** Starts in the next microtask. */
export function attempt<N extends string>(team: Team<N>, assignment: Assignment<N>): Attempt<N> {
  const { agent } = assignment;
  const run = new AssignmentRun(team.client(agent), team.clock, assignment);
  const outcome = Promise.resolve().then(() => ask(team, assignment, run)); // so that a caller without time left can still stop it
  return {
    agent,
    outcome,
    stop(why, cancel) {
      const canceled = run.stop(why, cancel);
      if (canceled) team.settle(canceled);
    },
  };
}

async function ask<N extends string>(team: Team<N>, { agent, options }: Assignment<N>, run: AssignmentRun): Promise<Outcome<N>> {
  const { health, allows, interceptor } = team.breakers;
  if (run.stopped) return { kind: 'failed', agent, error: run.stopped };
  if (!allows(agent)) return { kind: 'skipped', agent, reason: 'circuit-open', until: health(agent).openUntil };
  let reply: Reply | undefined;
  const send: Send = async () => {
    reply = await run.result();
    return DONE;
  };
  try {
    await interceptor(send)(callFor(team, agent));
  } catch (thrown) {
    const error = toA2AError(thrown);
    if (error.name === 'A2ACircuitOpenError') return { kind: 'skipped', agent, reason: 'circuit-open', until: untilOf(team, error) };
    if (options.signal?.aborted === true || options.scope?.signal.aborted === true) throw error;
    return { kind: 'failed', agent, error };
  }
  if (reply === undefined) return { kind: 'failed', agent, error: new A2AError('INTERNAL_ERROR', 'the run ended without a reply') };
  return { kind: 'done', agent, reply };
}

/** Another call may be probing the half-open circuit, or the client may have an open circuit of its own. */
function untilOf<N extends string>({ clock }: Team<N>, { retryAfterMs }: A2AError): number | undefined {
  return retryAfterMs === undefined ? undefined : clock.now() + retryAfterMs;
}

/** The run of an errand. It can be stopped at any time. */
class AssignmentRun {
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #assignment: Assignment<string>;
  #run: Run | undefined;
  #isOver = false;
  #stopped: A2AError | undefined;
  #reject: ((error: A2AError) => void) | undefined;

  constructor(client: Client, clock: Clock, assignment: Assignment<string>) {
    this.#client = client;
    this.#clock = clock;
    this.#assignment = assignment;
  }

  /** The reason, if it was stopped before its end. */
  get stopped(): A2AError | undefined {
    return this.#stopped;
  }

  async result(): Promise<Reply> {
    if (this.#stopped) throw this.#stopped;
    const { message, options } = this.#assignment;
    const stopped = new Promise<never>((_, reject) => {
      this.#reject = reject;
    });
    this.#run = this.#client.run(message, { ...options, throwOn: 'failure' });
    try {
      return await Promise.race([this.#run.result, stopped]);
    } finally {
      this.#isOver = true;
    }
  }

  /** Returns the pending cancel request, if there is one. */
  stop(why: A2AError, mayCancel: boolean): Promise<void> | undefined {
    if (this.#isOver || this.#stopped) return undefined;
    this.#stopped = why;
    this.#reject?.(why);
    if (mayCancel && this.#run !== undefined) return cancel(this.#run, this.#clock);
    // The task continues without us. Detaching closes the stream and prevents further questions to the user.
    this.#run?.detach();
    return undefined;
  }
}

/** How long to wait for an agent that has sent nothing: only its first event shows whether there is a task to cancel. */
const PATIENCE_MS = 10_000;

async function cancel(run: Run, clock: Clock): Promise<void> {
  const patience = new AbortController();
  const stopClock = clock.after(PATIENCE_MS, () => patience.abort(), { background: true });
  try {
    await run.cancel({ signal: patience.signal });
  } finally {
    stopClock();
    run.detach();
  }
}

/** The circuit breaker counts an errand as one call, however many requests the run makes. */
function callFor<N extends string>({ clock, newId }: Team<N>, agent: N): ClientCall {
  return {
    method: 'SendMessage',
    params: { message: { messageId: newId(), role: 'ROLE_USER', parts: [] } },
    peer: { key: agent, name: agent, card: undefined, interfaces: [], log: { lastEventId: false, idempotencyKey: false } },
    requestId: newId(),
    attempt: 1,
    headers: {},
    extensions: [],
    signal: undefined,
    timeouts: {},
    budget: createBudget({ clock }),
  };
}

const DONE: ClientReply = { kind: 'value', value: {}, extensions: [] };
