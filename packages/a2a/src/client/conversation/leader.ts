/** Does what the conversation is told: at most one answer is under way, and everything that happens is recorded. */
import { A2AError, toA2AError } from '../../protocol/errors.js';
import { isInterrupted, isTerminal } from '../../protocol/task-state.js';
import type { Message, SendMessageConfiguration } from '../../protocol/types.js';
import type { Client, Run } from '../client.js';
import { logOf } from '../log-extension.js';
import { terminalError } from '../run/outcome.js';
import type { RunOptions } from '../run/run-options.js';
import type { RunPlace } from '../run/update.js';
import type { Answer } from './answer.js';
import type { Callbacks } from './callbacks.js';
import type { Command, ReloadCommand, SendCommand } from './commands.js';
import type { ExportedConversation, PlainStatus } from './conversation.js';
import type { AgentMessage, ConversationMessage, UserMessage } from './message.js';
import type { ConversationOptions } from './options.js';
import type { Recorder, Step } from './recorder.js';
import { CANCELLED, COMPLETE, failed, RUNNING, statusOf } from './status.js';
import type { Transcript } from './transcript.js';
import { Turn } from './turn.js';

export interface LeaderParts {
  readonly client: Client;
  readonly options: ConversationOptions;
  readonly transcript: Transcript;
  readonly recorder: Recorder;
  readonly callbacks: Callbacks;
  now(): string;
  /** The agent's name, as far as it is known. */
  peer(): string;
}

/** What a turn needs beside its answer. */
interface Beginning {
  readonly answerId: string;
  /** What goes out. */
  readonly message: Message;
  readonly userId: string;
  readonly configuration?: SendMessageConfiguration | undefined;
}

/** A page may sleep for minutes, and its network comes back later than it does. */
const PATIENT = { max: 20, baseMs: 500, factor: 2, maxMs: 15_000, jitter: true } as const;

export class Leader {
  readonly #parts: LeaderParts;
  #live: Turn | undefined;
  /** Until they have let go of everything. */
  readonly #turns = new Set<Turn>();
  #resumed: Promise<void> | undefined;

  constructor(parts: LeaderParts) {
    this.#parts = parts;
  }

  /** Gives the id of the answer, when it is over or waits; undefined where there is none. */
  async handle(command: Command): Promise<string | undefined> {
    switch (command.do) {
      case 'send':
        return this.#send(command);
      case 'reload':
        return this.#reload(command);
      case 'settle':
        return this.#settle(command);
      case 'cancel':
        await this.#cancel();
        return undefined;
      case 'switch':
        return this.#switch(command.messageId);
      case 'set':
        return this.#set(command.messages);
      case 'import':
        return this.#reset(command.exported);
      case 'clear':
        return this.#clear();
    }
  }

  /** Goes on with what was under way when the page, or the tab that led, went away. Never rejects. */
  resume(): Promise<void> {
    this.#resumed = this.#resume();
    return this.#resumed;
  }

  /** Streams end, tasks go on. */
  leave(): void {
    for (const turn of this.#turns) turn.leave();
    this.#live = undefined;
  }

  #send(command: SendCommand): Promise<string | undefined> | undefined {
    const { transcript, recorder } = this.#parts;
    const { answerId, message, startRun } = command;
    if (transcript.tree.has(answerId)) return this.#endOf(answerId);
    const parentId = this.#parentFor(command.parentId);
    if (command.answers !== undefined) this.#checkOpen(command.answers, parentId);
    if (message.role === 'ROLE_AGENT') return this.#putAnswer(command, parentId);
    const wire = this.#toWire(message, parentId);
    const user = this.#userMessage(wire, { parentId, delivery: startRun ? 'sending' : 'local' });
    if (!startRun) {
      recorder.record({ kind: 'put', message: user, show: true });
      return undefined;
    }
    const steps: Step[] = [{ kind: 'put', message: user, show: true }];
    return this.#begin({ answerId, message: wire, userId: user.id, configuration: command.configuration }, steps);
  }

  /** What an assistant says is put here, and starts a run only when that is asked for. */
  #putAnswer(
    { message, startRun, answerId, configuration }: SendCommand,
    parentId: string | null,
  ): Promise<string | undefined> | undefined {
    const { parts, messageId: id } = message;
    const put: AgentMessage = { ...this.#agentMessage(id, parentId), status: COMPLETE, parts, said: [message] };
    const steps: Step[] = [{ kind: 'put', message: put, show: true }];
    const user = startRun && parentId !== null ? this.#nearestUser(parentId) : undefined;
    if (user === undefined) {
      this.#parts.recorder.record(...steps);
      return undefined;
    }
    const wire = this.#toWire({ ...user.message, messageId: answerId }, user.parentId);
    return this.#begin({ answerId, message: wire, userId: user.id, configuration }, steps, id);
  }

  #reload({ answerId, sendAs, messageId }: ReloadCommand): Promise<string | undefined> | undefined {
    if (this.#parts.transcript.tree.has(answerId)) return this.#endOf(answerId);
    const user = this.#nearestUser(messageId);
    if (user === undefined) return undefined;
    const message = this.#toWire({ ...user.message, messageId: sendAs }, user.parentId);
    return this.#begin({ answerId, message, userId: user.id }, []);
  }

  #settle({ messageId, choice, answerId }: Extract<Command, { do: 'settle' }>): Promise<string | undefined> | undefined {
    const { transcript, recorder } = this.#parts;
    const user = transcript.user(messageId);
    if (user?.delivery !== 'unknown') throw new A2AError('INVALID_REQUEST', `Whether ${messageId} came is no open question`);
    if (choice === 'discard') {
      recorder.record({ kind: 'delivery', messageId, delivery: 'failed' });
      return undefined;
    }
    const waiting = transcript.tree.childrenOf(messageId).find((id) => transcript.sends(id) !== undefined);
    if (waiting === undefined) return this.#begin({ answerId, message: user.message, userId: messageId }, []);
    return this.#beginAgain({ answerId: waiting, message: transcript.sends(waiting) ?? user.message, userId: messageId });
  }

  /** The same message for the same answer, from which nothing has come yet. */
  #beginAgain(beginning: Beginning): Promise<string | undefined> {
    const { answerId, userId } = beginning;
    this.#replaceLive();
    this.#parts.recorder.record(
      { kind: 'delivery', messageId: userId, delivery: 'sending' },
      { kind: 'status', messageId: answerId, status: RUNNING },
      { kind: 'connection', connection: { state: 'live' } },
    );
    return this.#start(beginning);
  }

  async #resume(): Promise<void> {
    const { transcript, recorder } = this.#parts;
    const { tree, running } = transcript;
    const path = tree.pathTo();
    const answerId = path.findLast((id) => running.has(id)) ?? [...running].at(-1);
    // At most one was under way; whatever else says so was never ended.
    recorder.record(
      ...[...running].filter((id) => id !== answerId).map((messageId) => ({ kind: 'status', messageId, status: CANCELLED }) as const),
    );
    const resumed = answerId ?? path.at(-1);
    const answer = resumed === undefined ? undefined : transcript.answer(resumed);
    if (resumed === undefined || answer === undefined) return;
    const next = whatIsNext(answer);
    if (next === 'watch') this.#watch(resumed, answer);
    if (next === 'send') await this.#resend(resumed);
    if (typeof next === 'object') recorder.record({ kind: 'status', messageId: resumed, status: next });
  }

  /** Only an agent that knows a send by its key can be sent the same again; of others nobody knows whether it came. */
  async #resend(answerId: string): Promise<void> {
    const { transcript, recorder, client } = this.#parts;
    const message = transcript.sends(answerId);
    const userId = this.#nearestUser(answerId)?.id;
    const isKnown = await client.card().then(
      (card) => logOf(card).idempotencyKey,
      () => false,
    );
    if (!transcript.running.has(answerId) || this.#live !== undefined) return;
    if (message !== undefined && userId !== undefined && isKnown) {
      this.#beginAgain({ answerId, message, userId }).catch(() => {});
      return;
    }
    const unknown: Step[] = userId === undefined ? [] : [{ kind: 'delivery', messageId: userId, delivery: 'unknown' }];
    recorder.record(...unknown, { kind: 'status', messageId: answerId, status: CANCELLED });
  }

  /** Goes on behind what the answer has. */
  #watch(answerId: string, answer: Answer): void {
    const { recorder } = this.#parts;
    const { task, seq } = answer.keep();
    if (task === undefined) return;
    const isWaiting = answer.status.type === 'requires-action';
    if (!isWaiting) {
      recorder.record({ kind: 'status', messageId: answerId, status: RUNNING }, { kind: 'connection', connection: { state: 'live' } });
    }
    const from = { task, ...(seq !== undefined && { seq }) };
    this.#follow(answerId, this.#openWatch(from), { onArrival: [], onFailure: [], isWatch: true }).catch(() => {});
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

  async #cancel(): Promise<void> {
    const turn = this.#live;
    if (turn === undefined || !turn.isRunning) return;
    this.#live = undefined;
    const cancelled = turn.cancel();
    this.#parts.callbacks.cancel();
    await cancelled;
  }

  #switch(messageId: string): undefined {
    const { tree } = this.#parts.transcript;
    if (tree.has(messageId)) this.#parts.recorder.record({ kind: 'head', headId: tree.newestEnd(messageId) });
  }

  /** The same chain keeps what is hidden beside it. */
  #set(messages: readonly ConversationMessage[]): undefined {
    const { transcript } = this.#parts;
    const { tree } = transcript;
    const isChain = messages.every(({ parentId }, at) => parentId === (messages[at - 1]?.id ?? null));
    const isHere = messages.every(({ id, parentId }) => !tree.has(id) || tree.parentOf(id) === parentId);
    if (!isChain || !isHere || messages.length === 0) {
      return this.#reset({ messages: messages.map((message) => ({ parentId: message.parentId, message })) });
    }
    const given = new Map(messages.map((message) => [message.id, message]));
    const old = transcript.export().messages.map(({ parentId, message }) => ({ parentId, message: given.get(message.id) ?? message }));
    const added = messages.filter(({ id }) => !tree.has(id)).map((message) => ({ parentId: message.parentId, message }));
    return this.#reset({ headId: messages.at(-1)?.id ?? null, messages: [...old, ...added] });
  }

  /** First what is to be shown, then the end of what was: so nothing of it gets into the new. */
  #reset(exported: ExportedConversation, { contextId }: { readonly contextId?: string | undefined } = this.#parts.transcript): undefined {
    const messages = exported.messages.map(({ parentId, message }) => ({ parentId, message: this.#settled(message) }));
    this.#parts.recorder.record({ kind: 'reset', exported: { ...exported, messages }, contextId });
    const live = this.#live;
    if (live === undefined || this.#parts.transcript.answer(live.answerId)?.status.type === 'running') return;
    this.#live = undefined;
    live.leave();
    this.#parts.recorder.record({ kind: 'connection', connection: { state: 'idle' } });
  }

  #clear(): undefined {
    return this.#reset({ messages: [] }, this.#parts.options);
  }

  /** Nobody is there to go on with an answer that was put from outside. */
  #settled(message: ConversationMessage): ConversationMessage {
    if (message.role === 'ROLE_USER' || message.status.type !== 'running' || message.id === this.#live?.answerId) return message;
    return { ...message, status: CANCELLED };
  }

  #begin(beginning: Beginning, before: readonly Step[], parentId = beginning.userId): Promise<string | undefined> {
    const { recorder, transcript } = this.#parts;
    const { answerId, message, userId } = beginning;
    this.#replaceLive();
    const answer = this.#agentMessage(answerId, parentId);
    const isKnown = transcript.user(userId) !== undefined;
    recorder.record(
      ...before,
      ...(isKnown ? [{ kind: 'delivery', messageId: userId, delivery: 'sending' } as const] : []),
      { kind: 'put', message: answer, show: true, sends: message },
      { kind: 'connection', connection: { state: 'live' } },
    );
    return this.#start(beginning);
  }

  /** The old answer ends here at once; its task is told to stop, and what comes of that changes nothing here. */
  #replaceLive(): void {
    const turn = this.#live;
    this.#live = undefined;
    if (turn?.isRunning) void turn.cancel();
    else turn?.leave();
    const { transcript, recorder } = this.#parts;
    recorder.record(...[...transcript.running].map((messageId) => ({ kind: 'status', messageId, status: CANCELLED }) as const));
  }

  #start({ answerId, message, userId, configuration }: Beginning): Promise<string | undefined> {
    const { recorder, callbacks } = this.#parts;
    let run: Run;
    try {
      run = this.#parts.client.run(message, this.#runOptions(message, configuration));
    } catch (thrown) {
      const error = toA2AError(thrown);
      const delivery: Step = { kind: 'delivery', messageId: userId, delivery: 'failed' };
      recorder.record(
        delivery,
        { kind: 'status', messageId: answerId, status: failed(error) },
        { kind: 'connection', connection: { state: 'idle' } },
      );
      callbacks.error(error);
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
    const { transcript, recorder, callbacks, peer } = this.#parts;
    const turn = new Turn({ answerId, run, isWatch: false, transcript, recorder, callbacks, peer: peer(), ...how });
    this.#live = turn;
    this.#turns.add(turn);
    try {
      await turn.done;
    } finally {
      this.#turns.delete(turn);
      if (this.#live === turn) this.#live = undefined;
    }
    this.#watchForAuth(answerId, run);
    return answerId;
  }

  /** An authorization may be given elsewhere: then the agent goes on by itself, and so does the answer. */
  #watchForAuth(answerId: string, { place }: Run): void {
    const { transcript } = this.#parts;
    const status = transcript.answer(answerId)?.status;
    const isFree = this.#live === undefined && status?.type === 'requires-action' && status.want === 'auth';
    if (!isFree || place === undefined) return;
    this.#follow(answerId, this.#openWatch(place), { onArrival: [], onFailure: [], isWatch: true }).catch(() => {});
  }

  /** Once the agent has the answer, its question is none any more. */
  #answered(userId: string, { taskId }: Message): Step[] {
    const { transcript } = this.#parts;
    const parentId = transcript.tree.parentOf(userId);
    if (taskId === undefined || !parentId || transcript.answer(parentId)?.status.type !== 'requires-action') return [];
    return [{ kind: 'status', messageId: parentId, status: COMPLETE }];
  }

  #runOptions(message: Message, configuration: SendMessageConfiguration | undefined): RunOptions {
    const { run, configuration: always } = this.#parts.options;
    const { acceptedOutputModes, historyLength, taskPushNotificationConfig } = { ...always, ...configuration };
    return {
      ...run,
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
    const { tools: _, ...run } = this.#parts.options.run ?? {};
    return { ...run, reconnect: { ...PATIENT, ...run.reconnect }, throwOn: 'never' as const };
  }

  /** Another tab, or another call, has begun this answer. */
  async #endOf(answerId: string): Promise<string | undefined> {
    await this.#resumed;
    for (const turn of this.#turns) if (turn.answerId === answerId) await turn.done;
    return answerId;
  }

  #parentFor(parentId: string | null | undefined): string | null {
    const { tree } = this.#parts.transcript;
    if (parentId === null) return null;
    return parentId !== undefined && tree.has(parentId) ? parentId : tree.headId;
  }

  #checkOpen(question: string, parentId: string | null): void {
    const { transcript } = this.#parts;
    const isAsked = transcript.answer(question)?.status.type === 'requires-action' && parentId === question;
    const isBeingAnswered = transcript.tree.childrenOf(question).some((id) => transcript.user(id)?.delivery === 'sending');
    if (isAsked && !isBeingAnswered) return;
    throw new A2AError('INVALID_REQUEST', 'The question has been answered already');
  }

  #nearestUser(messageId: string): UserMessage | undefined {
    const { transcript } = this.#parts;
    const id = transcript.tree.pathTo(messageId).findLast((at) => transcript.user(at) !== undefined);
    return id === undefined ? undefined : transcript.user(id);
  }

  /** The task is named only when the message goes behind an answer that waits: everything else begins a task of its own. */
  #toWire(message: Message, parentId: string | null): Message {
    const { transcript } = this.#parts;
    const { taskId: _task, contextId: _context, ...rest } = message;
    const before = parentId === null ? undefined : transcript.answer(parentId);
    const taskId = before?.status.type === 'requires-action' ? before.taskId : undefined;
    const { contextId } = transcript;
    return { ...rest, ...(taskId !== undefined && { taskId }), ...(contextId !== undefined && { contextId }) };
  }

  #userMessage(message: Message, { parentId, delivery }: Pick<UserMessage, 'parentId' | 'delivery'>): UserMessage {
    const { messageId: id, parts } = message;
    return { id, parentId, siblings: [], createdAt: this.#parts.now(), role: 'ROLE_USER', parts, message, delivery };
  }

  #agentMessage(id: string, parentId: string | null): AgentMessage {
    const createdAt = this.#parts.now();
    const nothing = { parts: [], said: [], artifacts: [], task: undefined, seq: undefined };
    return { id, parentId, siblings: [], createdAt, role: 'ROLE_AGENT', status: RUNNING, ...nothing };
  }
}

/** What an answer needs that nobody follows: a status where its task says it all, the message again, or to be followed. */
function whatIsNext(answer: Answer): 'watch' | 'send' | PlainStatus | undefined {
  const { status, taskStatus, task } = answer;
  if (status.type === 'requires-action') return status.want === 'auth' ? 'watch' : undefined;
  if (status.type === 'incomplete' && status.reason === 'error') return wasCutOff(answer) ? 'watch' : undefined;
  if (status.type !== 'running') return undefined;
  if (taskStatus === undefined || task === undefined) return 'send';
  const isAsked = isInterrupted(taskStatus.state) && answer.hasSaid(taskStatus.message?.messageId);
  if (!isTerminal(taskStatus.state) && !isAsked) return 'watch';
  return statusOf(taskStatus, () => terminalError(task, task.id) ?? new A2AError('INTERNAL_ERROR', `Task ${task.id} failed`));
}

/** The way to the agent failed, and its task may have gone on. */
function wasCutOff({ plainStatus, taskStatus }: Answer): boolean {
  if (plainStatus.type !== 'incomplete' || plainStatus.reason !== 'error' || taskStatus === undefined) return false;
  const { name } = plainStatus.error;
  return !isTerminal(taskStatus.state) && (name === 'A2AReconnectError' || name === 'A2ATransportError');
}
