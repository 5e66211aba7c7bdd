/** Starts and resumes answers. At most one answer is in progress. */
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
  /** The agent's name, or its URL until the card is loaded. */
  peer(): string;
}

/** A page may be suspended for minutes, and its network returns later than the page. */
const PATIENT = { maxRetries: 20, initialDelayMs: 500, multiplier: 2, maxDelayMs: 15_000, jitter: true } as const;

export class Turns {
  readonly #parts: TurnsParts;
  #live: Turn | undefined;
  /** Kept until all their resources are released. */
  readonly #turns = new Set<Turn>();
  #resumed: Promise<void> | undefined;
  #isLeft = false;

  constructor(parts: TurnsParts) {
    this.#parts = parts;
  }

  /** The id of the answer in progress. */
  get liveId(): string | undefined {
    return this.#live?.answerId;
  }

  /** Resumes the answer that was in progress when the page, or the leader tab, was closed. Never rejects. */
  resume(): Promise<void> {
    this.#resumed = resume({
      ...this.#parts,
      isFree: () => this.#isFree,
      beginAgain: (beginning) => this.beginAgain(beginning),
      followOn: (answerId, from) => this.#followOn(answerId, from),
    });
    return this.#resumed;
  }

  /** Detaches from all runs: streams end, tasks continue. */
  leave(): void {
    this.#isLeft = true;
    for (const turn of this.#turns) turn.leave();
    this.#live = undefined;
  }

  /** Detaches from an answer that is no longer in the transcript. */
  leaveMissing(): void {
    const live = this.#live;
    const status = live && this.#parts.transcript.answer(live.answerId)?.status.type;
    if (live === undefined || status === 'running' || status === 'requires-action') return;
    this.#live = undefined;
    live.leave();
    this.#parts.recorder.record({ kind: 'connection', connection: { state: 'idle' } });
  }

  /** Sends the same message again for an answer that has not received any update. */
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
      // The stored task may break the protocol's rules, because some agents send incomplete tasks. Then follow it from its current state.
      return client.watch(id, this.#watchOptions());
    }
  }

  /** Ends the answer in progress here at once, then cancels its task. */
  async cancel(): Promise<void> {
    const turn = this.#live;
    if (!this.#parts.transcript.isRunning) return;
    this.#live = undefined;
    const canceled = turn?.cancel();
    endRunning(this.#parts);
    if (turn === undefined) settleDeliveries(this.#parts);
    this.#parts.callbacks.cancel();
    await canceled;
  }

  /** Ends the previous answer here at once and cancels its task. Later results of that task are ignored. */
  replaceLive(except?: string): void {
    const turn = this.#live;
    this.#live = undefined;
    if (turn?.isRunning) void turn.cancel();
    else turn?.leave();
    endRunning(this.#parts, except);
  }

  /** Records that the run could not be started. */
  #failed(answerId: string, error: A2AError, steps: readonly Step[] = []): void {
    const { recorder, callbacks } = this.#parts;
    const idle: Step = { kind: 'connection', connection: { state: 'idle' } };
    recorder.record(...steps, { kind: 'status', messageId: answerId, status: failed(error) }, idle);
    callbacks.error(error);
  }

  /** Sends the message; its answer is already in the transcript. Resolves when the answer ends or waits for the caller. */
  start({ answerId, message, userId, request }: Beginning): Promise<string | undefined> {
    let run: Run;
    try {
      run = this.#parts.client.run(message, this.#runOptions(request));
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

  /** Authorization may be granted elsewhere. The agent then continues by itself, so the task is followed meanwhile. */
  #watchForAuth(answerId: string, { place }: Run): void {
    const { transcript } = this.#parts;
    const waitingId = openQuestion(transcript, answerId);
    const waiting = waitingId === undefined ? undefined : transcript.answer(waitingId);
    if (waitingId === undefined || waiting?.status.type !== 'requires-action' || waiting.status.want !== 'auth') return;
    const from = waitingId === answerId ? place : placeOf(waiting);
    if (this.#isFree && from !== undefined) this.#followOn(waitingId, from);
  }

  /** Closes the question once the agent has received the reply to it. */
  #answered(userId: string, { taskId }: Message): Step[] {
    const { transcript } = this.#parts;
    const parentId = transcript.tree.parentOf(userId);
    const question = taskId === undefined || !parentId ? undefined : openQuestion(transcript, parentId);
    return question === undefined ? [] : [{ kind: 'status', messageId: question, status: COMPLETE }];
  }

  #runOptions({ configuration, metadata }: TurnRequest): RunOptions {
    const { run, configuration: always } = this.#parts.options;
    const { acceptedOutputModes, historyLength, taskPushNotificationConfig } = { ...always, ...configuration };
    return {
      ...run,
      ...(metadata !== undefined && { metadata: { ...run?.metadata, ...metadata } }),
      reconnect: { ...PATIENT, ...run?.reconnect },
      throwOn: 'never',
      ...(acceptedOutputModes !== undefined && { acceptedOutputModes }),
      ...(historyLength !== undefined && { historyLength }),
      ...(taskPushNotificationConfig !== undefined && { taskPushNotificationConfig }),
    };
  }

  #watchOptions() {
    const { tools: _, metadata: _sent, ...run } = this.#parts.options.run ?? {};
    return { ...run, reconnect: { ...PATIENT, ...run.reconnect }, throwOn: 'never' as const };
  }

  /** For an answer that another tab or an earlier call has started. Rejects with the error of the answer. */
  async endOf(answerId: string): Promise<string | undefined> {
    await this.#resumed;
    for (const turn of this.#turns) if (turn.answerId === answerId) await turn.done;
    const status = this.#parts.transcript.answer(answerId)?.status;
    if (status?.type === 'incomplete' && status.reason === 'error') throw status.error;
    return answerId;
  }
}
