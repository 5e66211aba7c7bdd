/** Answers under way: at most one, begun by a message or gone on with after a reload. */
import type { Clock } from '../../protocol/clock.js';
import { type A2AError, toA2AError } from '../../protocol/errors.js';
import type { Message } from '../../protocol/types.js';
import type { Client, Run } from '../client.js';
import type { RunOptions } from '../run/run-options.js';
import type { RunPlace } from '../run/update.js';
import type { Callbacks } from './callbacks.js';
import type { TurnRequest } from './conversation.js';
import type { ConversationOptions } from './options.js';
import type { Recorder, Step } from './recorder.js';
import { endRunning, placeOf, resume, settleDeliveries } from './resume.js';
import { COMPLETE, failed, RUNNING } from './status.js';
import type { Transcript } from './transcript.js';
import { Turn } from './turn.js';
import { type Beginning, openQuestion } from './wire.js';

export interface TurnsParts {
  readonly client: Client;
  readonly options: ConversationOptions;
  readonly transcript: Transcript;
  readonly recorder: Recorder;
  readonly callbacks: Callbacks;
  readonly clock: Clock;
  /** The agent's name, as far as it is known. */
  peer(): string;
}

/** A page may sleep for minutes, and its network comes back later than it does. */
const PATIENT = { max: 20, baseMs: 500, factor: 2, maxMs: 15_000, jitter: true } as const;

export class Turns {
  readonly #parts: TurnsParts;
  #live: Turn | undefined;
  /** Until they have let go of everything. */
  readonly #turns = new Set<Turn>();
  #resumed: Promise<void> | undefined;
  #isLeft = false;

  constructor(parts: TurnsParts) {
    this.#parts = parts;
  }

  /** The answer that is under way. */
  get liveId(): string | undefined {
    return this.#live?.answerId;
  }

  /** Goes on with what was under way when the page, or the tab that led, went away. Never rejects. */
  resume(): Promise<void> {
    this.#resumed = resume({
      ...this.#parts,
      isFree: () => this.#isFree,
      beginAgain: (beginning) => this.beginAgain(beginning),
      followOn: (answerId, from) => this.#followOn(answerId, from),
    });
    return this.#resumed;
  }

  /** Streams end, tasks go on. */
  leave(): void {
    this.#isLeft = true;
    for (const turn of this.#turns) turn.leave();
    this.#live = undefined;
  }

  /** Lets go of an answer that is not there any more. */
  leaveMissing(): void {
    const live = this.#live;
    const status = live && this.#parts.transcript.answer(live.answerId)?.status.type;
    if (live === undefined || status === 'running' || status === 'requires-action') return;
    this.#live = undefined;
    live.leave();
    this.#parts.recorder.record({ kind: 'connection', connection: { state: 'idle' } });
  }

  /** The same message for the same answer, from which nothing has come yet. */
  beginAgain(beginning: Beginning): Promise<string | undefined> {
    const { answerId, userId } = beginning;
    this.replaceLive(answerId);
    this.#parts.recorder.record(
      { kind: 'delivery', messageId: userId, delivery: 'sending' },
      { kind: 'status', messageId: answerId, status: RUNNING },
      { kind: 'connection', connection: { state: 'live' } },
    );
    return this.start(beginning);
  }

  get #isFree(): boolean {
    return this.#live === undefined && !this.#isLeft;
  }

  #followOn(answerId: string, from: RunPlace): void {
    let run: Run;
    try {
      run = this.#openWatch(from);
    } catch (thrown) {
      if (this.#parts.transcript.running.has(answerId)) this.#failed(answerId, toA2AError(thrown));
      return;
    }
    this.#follow(answerId, run, { onArrival: [], onFailure: [], isWatch: true }).catch(() => {});
  }

  #openWatch(from: RunPlace): Run {
    const { client } = this.#parts;
    const { id } = from.task;
    try {
      return client.watch(id, { ...this.#watchOptions(), from });
    } catch {
      // What an agent said may be less than what the protocol wants: then the task is taken as it is now.
      return client.watch(id, this.#watchOptions());
    }
  }

  /** Ends the answer that is under way, here at once and then at the agent. */
  async cancel(): Promise<void> {
    const turn = this.#live;
    if (!this.#parts.transcript.isRunning) return;
    this.#live = undefined;
    const cancelled = turn?.cancel();
    endRunning(this.#parts);
    if (turn === undefined) settleDeliveries(this.#parts);
    this.#parts.callbacks.cancel();
    await cancelled;
  }

  /** The old answer ends here at once; its task is told to stop, and what comes of that changes nothing here. */
  replaceLive(except?: string): void {
    const turn = this.#live;
    this.#live = undefined;
    if (turn?.isRunning) void turn.cancel();
    else turn?.leave();
    endRunning(this.#parts, except);
  }

  /** It can not even be begun. */
  #failed(answerId: string, error: A2AError, steps: readonly Step[] = []): void {
    const { recorder, callbacks } = this.#parts;
    const idle: Step = { kind: 'connection', connection: { state: 'idle' } };
    recorder.record(...steps, { kind: 'status', messageId: answerId, status: failed(error) }, idle);
    callbacks.error(error);
  }

  /** Sends the message; the answer is there and waits for it. Resolves when that is over or waits. */
  start({ answerId, message, userId, request }: Beginning): Promise<string | undefined> {
    let run: Run;
    try {
      run = this.#parts.client.run(message, this.#runOptions(message, request));
    } catch (thrown) {
      const error = toA2AError(thrown);
      this.#failed(answerId, error, [{ kind: 'delivery', messageId: userId, delivery: 'failed' }]);
      return Promise.reject(error);
    }
    return this.#follow(answerId, run, {
      onArrival: [{ kind: 'delivery', messageId: userId, delivery: 'sent' }, ...this.#answered(userId, message)],
      onFailure: [{ kind: 'delivery', messageId: userId, delivery: 'failed' }],
    });
  }

  async #follow(
    answerId: string,
    run: Run,
    how: { readonly onArrival: readonly Step[]; readonly onFailure: readonly Step[]; readonly isWatch?: boolean },
  ): Promise<string | undefined> {
    const { transcript, recorder, callbacks, clock, peer } = this.#parts;
    const turn = new Turn({ answerId, run, isWatch: false, transcript, recorder, callbacks, clock, peer: peer(), ...how });
    this.#live = turn;
    this.#turns.add(turn);
    void turn.gone.then(() => {
      this.#turns.delete(turn);
      if (this.#live === turn) this.#live = undefined;
    });
    try {
      await turn.done;
    } finally {
      if (turn.isOver && this.#live === turn) this.#live = undefined;
      if (!how.isWatch && !this.#isLeft) this.#watchForAuth(answerId, run);
    }
    return answerId;
  }

  /** An authorization may be given elsewhere: then the agent goes on by itself, and so does the answer. */
  #watchForAuth(answerId: string, { place }: Run): void {
    const { transcript } = this.#parts;
    const waitingId = openQuestion(transcript, answerId);
    const waiting = waitingId === undefined ? undefined : transcript.answer(waitingId);
    if (waitingId === undefined || waiting?.status.type !== 'requires-action' || waiting.status.want !== 'auth') return;
    const from = waitingId === answerId ? place : placeOf(waiting);
    if (this.#isFree && from !== undefined) this.#followOn(waitingId, from);
  }

  /** Once the agent has the answer, its question is none any more. */
  #answered(userId: string, { taskId }: Message): Step[] {
    const { transcript } = this.#parts;
    const parentId = transcript.tree.parentOf(userId);
    const question = taskId === undefined || !parentId ? undefined : openQuestion(transcript, parentId);
    return question === undefined ? [] : [{ kind: 'status', messageId: question, status: COMPLETE }];
  }

  #runOptions(message: Message, { configuration, metadata }: TurnRequest): RunOptions {
    const { run, configuration: always } = this.#parts.options;
    const { acceptedOutputModes, historyLength, taskPushNotificationConfig } = { ...always, ...configuration };
    return {
      ...run,
      ...(metadata !== undefined && { metadata: { ...run?.metadata, ...metadata } }),
      reconnect: { ...PATIENT, ...run?.reconnect },
      throwOn: 'never',
      // The client's own memory of contexts is for those who have no conversation.
      contextId: message.contextId ?? null,
      ...(acceptedOutputModes !== undefined && { acceptedOutputModes }),
      ...(historyLength !== undefined && { historyLength }),
      ...(taskPushNotificationConfig !== undefined && { taskPushNotificationConfig }),
    };
  }

  #watchOptions() {
    const { tools: _, metadata: _sent, ...run } = this.#parts.options.run ?? {};
    return { ...run, reconnect: { ...PATIENT, ...run.reconnect }, throwOn: 'never' as const };
  }

  /** Another tab, or another call, has begun this answer. Rejects with the error that is on it, also when it failed there. */
  async endOf(answerId: string): Promise<string | undefined> {
    await this.#resumed;
    for (const turn of this.#turns) if (turn.answerId === answerId) await turn.done;
    const status = this.#parts.transcript.answer(answerId)?.status;
    if (status?.type === 'incomplete' && status.reason === 'error') throw status.error;
    return answerId;
  }
}
