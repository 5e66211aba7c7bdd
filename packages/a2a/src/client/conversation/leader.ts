/** Executes the commands of a conversation. At most one answer is in progress, and every change goes through the recorder. */
import type { Clock } from '../../protocol/clock.js';
import { A2AError } from '../../protocol/errors.js';
import { toIsoTime } from '../../protocol/iso-time.js';
import type { Message } from '../../protocol/types.js';
import { textOfParts } from '../answer-text.js';
import type { Command, ReloadCommand, SendCommand } from './commands.js';
import type { ExportedConversation, TurnRequest } from './conversation.js';
import type { AgentMessage, ConversationMessage, UserMessage } from './message.js';
import type { Recorder, Step } from './recorder.js';
import { CANCELED, COMPLETE, RUNNING } from './status.js';
import type { Transcript } from './transcript.js';
import type { Turns } from './turns.js';
import { type Beginning, checkOpen, nearestUser, parentFor, requestFor, toWire } from './wire.js';

export interface LeaderParts {
  /** The context of a new or cleared conversation. */
  readonly contextId: string | undefined;
  readonly transcript: Transcript;
  readonly recorder: Recorder;
  readonly turns: Turns;
  readonly clock: Clock;
}

type Answering = Promise<string | undefined> | undefined;

export class Leader {
  readonly #parts: LeaderParts;

  constructor(parts: LeaderParts) {
    this.#parts = parts;
  }

  /** Resolves with the id of the answer when it ends or waits for the caller; undefined if the command starts no answer. */
  async handle(command: Command): Promise<string | undefined> {
    switch (command.do) {
      case 'send':
        return this.#send(command);
      case 'reload':
        return this.#reload(command);
      case 'settle':
        return this.#settle(command);
      case 'cancel':
        await this.#parts.turns.cancel();
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

  #send(command: SendCommand): Answering {
    const { transcript, recorder } = this.#parts;
    const { answerId, message, startRun } = command;
    if (transcript.tree.has(answerId)) return this.#parts.turns.endOf(answerId);
    const parentId = parentFor(transcript, command.parentId === undefined ? command.answers : command.parentId);
    if (command.answers !== undefined) checkOpen(transcript, command.answers, parentId);
    if (message.role === 'ROLE_AGENT') return this.#putAnswer(command, parentId);
    const wire = toWire(transcript, message, parentId);
    const user = this.#userMessage(wire, { parentId, delivery: startRun ? 'sending' : 'local' });
    if (!startRun) {
      recorder.record({ kind: 'put', message: user, show: true });
      return undefined;
    }
    const steps: Step[] = [{ kind: 'put', message: user, show: true }];
    return this.#begin({ answerId, message: wire, userId: user.id, request: requestOf(command) }, steps);
  }

  /** Adds a message of the agent. It starts a run only if `startRun` is set. */
  #putAnswer(command: SendCommand, parentId: string | null): Answering {
    const { transcript, recorder } = this.#parts;
    const { message, startRun, answerId } = command;
    const { parts, messageId: id } = message;
    const put: AgentMessage = { ...this.#agentMessage(id, parentId), status: COMPLETE, parts, text: textOfParts(parts), said: [message] };
    const steps: Step[] = [{ kind: 'put', message: put, show: true }];
    const user = startRun && parentId !== null ? nearestUser(transcript, parentId) : undefined;
    if (user === undefined) {
      recorder.record(...steps);
      return undefined;
    }
    const wire = toWire(transcript, { ...user.message, messageId: answerId }, user.parentId);
    return this.#begin({ answerId, message: wire, userId: user.id, request: requestOf(command) }, steps, id);
  }

  #reload({ answerId, sendAs, messageId }: ReloadCommand): Answering {
    const { transcript, turns } = this.#parts;
    if (transcript.tree.has(answerId)) return turns.endOf(answerId);
    const user = nearestUser(transcript, messageId);
    if (user === undefined) return undefined;
    const message = toWire(transcript, { ...user.message, messageId: sendAs }, user.parentId);
    return this.#begin({ answerId, message, userId: user.id, request: requestFor(transcript, messageId) }, []);
  }

  #settle({ messageId, choice, answerId }: Extract<Command, { do: 'settle' }>): Answering {
    const { transcript, recorder } = this.#parts;
    const user = transcript.user(messageId);
    if (user?.delivery !== 'unknown')
      throw new A2AError('INVALID_REQUEST', `Message ${messageId} cannot be settled: its delivery is not 'unknown'`);
    if (choice === 'discard') {
      recorder.record({ kind: 'delivery', messageId, delivery: 'failed' });
      return undefined;
    }
    const waiting = transcript.tree.childrenOf(messageId).find((id) => transcript.sends(id) !== undefined);
    const request = requestFor(transcript, waiting ?? messageId);
    if (waiting === undefined) return this.#begin({ answerId, message: user.message, userId: messageId, request }, []);
    const message = transcript.sends(waiting) ?? user.message;
    return this.#parts.turns.beginAgain({ answerId: waiting, message, userId: messageId, request });
  }

  #switch(messageId: string): undefined {
    const { tree } = this.#parts.transcript;
    if (tree.has(messageId)) this.#parts.recorder.record({ kind: 'head', headId: tree.newestEnd(messageId) });
  }

  /** If the messages form the same chain, hidden branches are kept. */
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

  /**
   * Records the new messages first. `leaveMissing` then detaches the answer in progress if the new messages do not contain it, so none of
   * its events are recorded there.
   */
  #reset(exported: ExportedConversation): undefined {
    const { contextId } = this.#parts.transcript;
    const messages = exported.messages.map(({ parentId, message }) => ({ parentId, message: this.#settled(message) }));
    this.#parts.recorder.record({ kind: 'reset', exported: { ...exported, messages }, contextId });
    this.#parts.turns.leaveMissing();
  }

  #clear(): undefined {
    this.#parts.recorder.record({ kind: 'reset', exported: { messages: [] }, contextId: this.#parts.contextId });
    this.#parts.turns.leaveMissing();
  }

  /** A running answer that comes from outside has no stream here, so it counts as canceled. */
  #settled(message: ConversationMessage): ConversationMessage {
    if (message.role === 'ROLE_USER' || message.status.type !== 'running' || message.id === this.#parts.turns.liveId) return message;
    return { ...message, status: CANCELED };
  }

  #begin(beginning: Beginning, before: readonly Step[], parentId = beginning.userId): Answering {
    const { recorder, transcript, turns } = this.#parts;
    const { answerId, message, userId, request } = beginning;
    turns.replaceLive();
    const answer = this.#agentMessage(answerId, parentId);
    const isKnown = transcript.user(userId) !== undefined;
    recorder.record(
      ...before,
      ...(isKnown ? [{ kind: 'delivery', messageId: userId, delivery: 'sending' } as const] : []),
      { kind: 'put', message: answer, show: true, sends: message, ...request },
      { kind: 'connection', connection: { state: 'live' } },
    );
    return turns.start(beginning);
  }

  #userMessage(message: Message, { parentId, delivery }: Pick<UserMessage, 'parentId' | 'delivery'>): UserMessage {
    const { messageId: id, parts } = message;
    return { id, parentId, siblings: [], createdAt: this.#now(), role: 'ROLE_USER', parts, text: textOfParts(parts), message, delivery };
  }

  #now(): string {
    return toIsoTime(this.#parts.clock.now());
  }

  #agentMessage(id: string, parentId: string | null): AgentMessage {
    const createdAt = this.#now();
    const nothing = { parts: [], text: '', said: [], artifacts: [], task: undefined, seq: undefined };
    return { id, parentId, siblings: [], createdAt, role: 'ROLE_AGENT', status: RUNNING, ...nothing };
  }
}

function requestOf({ configuration, metadata }: SendCommand): TurnRequest {
  return { ...(configuration !== undefined && { configuration }), ...(metadata !== undefined && { metadata }) };
}
