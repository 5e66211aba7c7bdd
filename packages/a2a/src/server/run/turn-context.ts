/** Builds the context of one turn, or of its cancel, from the log and the runtime. */

import { type Logger, withFields } from '../../platform/logger.js';
import type { Clock } from '../../protocol/clock.js';
import { copyJson } from '../../protocol/copy-json.js';
import { isA2AError } from '../../protocol/errors.js';
import { lazyTask } from '../../protocol/task-text.js';
import type { JsonObject } from '../../protocol/types.js';
import { readConversation, toEarlierTexts } from '../executor/conversation.js';
import type { ConversationQuery, EarlierMessage, EarlierText, RequestContext } from '../executor/executor.js';
import {
  type ContextAbilities,
  type ContextRequest,
  contextBuilder,
  createRequestContext,
  INSIDE,
  type TurnInside,
} from '../executor/request-context.js';
import type { CurrentTask } from '../log/task-view.js';
import type { Ask } from '../questions/question.js';
import { questions } from '../questions/require-input.js';
import { askQuestion } from './ask-question.js';
import { RETRY_MS } from './inbox.js';
import type { Turn } from './turn.js';

interface Cancel {
  readonly metadata: JsonObject;
}

/** With `cancel`, the context has no message, and the metadata is that of the cancel request. */
export async function buildTurnContext(turn: Turn, cancel?: Cancel): Promise<RequestContext> {
  const { settings, writer, loadTask } = turn.parts;
  // Read when the turn begins, not when its message arrived, so that it includes the result of the previous turn.
  const known = writer.committed > 0 ? await writer.current() : undefined;
  const current = known && (await readHistory(turn, { known, isCancel: cancel !== undefined }));
  const request = toRequest(turn, current, cancel);
  const { buildContext, populateRelatedTasks, maxRelatedTasks } = settings;
  if (buildContext === undefined && !populateRelatedTasks) return createRequestContext(request);
  const build = contextBuilder(populateRelatedTasks ? { loadTask, maxRelatedTasks } : {});
  return buildContext ? buildContext(request, build) : build(request);
}

interface HistoryRead {
  readonly known: CurrentTask;
  readonly isCancel: boolean;
}

/**
 * Retries while the store cannot be reached: the message of the turn is accepted, and a short outage must not fail the task. The run clock
 * limits the retries of a run, and the grace period those of a cancel.
 */
async function readHistory(turn: Turn, read: HistoryRead): Promise<CurrentTask> {
  const { settings, log, writer } = turn.parts;
  for (;;) {
    try {
      return await log.withHistory(writer.ref, read.known);
    } catch (error) {
      if (!isA2AError(error) || !error.retryable) throw error;
      await new Promise<void>((resolve) => void settings.clock.after(RETRY_MS, resolve));
      const isCanceled = !read.isCancel && turn.signal.aborted;
      if (isCanceled || turn.isStopped || writer.isLost) throw error;
    }
  }
}

function toRequest(turn: Turn, current: CurrentTask | undefined, cancel: Cancel | undefined): ContextRequest {
  const { settings, writer } = turn.parts;
  const { ids, clock } = settings;
  const { attempt, request, resumedFrom } = turn.open;
  const ask: Ask = (question) => askQuestion(turn, question);
  const { ref, contextId } = writer;
  const logger = withFields(settings.logger, {
    requestId: request.requestId,
    taskId: ref.id,
    contextId,
    caller: request.caller.id,
    attempt,
  });
  return {
    abilities: new TurnAbilities(turn, clock, { logger, ask, conversation: conversation(turn), ...questions(ask) }),
    caller: request.caller,
    tenant: ref.tenant,
    requestedExtensions: request.extensions,
    taskId: ref.id,
    contextId,
    ids,
    task: current && lazyTask(current.text),
    // Copies: the history holds the same objects, and an executor may change its own.
    message: cancel ? undefined : copyJson(request.message),
    configuration: cancel ? undefined : copyJson(request.configuration),
    metadata: copyJson((cancel ?? request).metadata),
    trace: request.trace,
    resumedFrom: copyJson(resumedFrom),
  };
}

/** What the turn provides to its context. */
type Doings = Pick<RequestContext, 'conversation' | 'requireInput' | 'requireAuth'>;

interface Given extends Doings {
  readonly logger: Logger;
  readonly ask: Ask;
}

class TurnAbilities implements ContextAbilities, TurnInside {
  readonly attempt: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly conversation: Doings['conversation'];
  readonly requireInput: Doings['requireInput'];
  readonly requireAuth: Doings['requireAuth'];
  readonly ask: Ask;
  declare readonly signal: AbortSignal;
  readonly #turn: Turn;

  constructor(turn: Turn, clock: Clock, { logger, ask, conversation, requireInput, requireAuth }: Given) {
    this.attempt = turn.open.attempt;
    this.clock = clock;
    this.logger = logger;
    this.conversation = conversation;
    this.requireInput = requireInput;
    this.requireAuth = requireAuth;
    this.ask = ask;
    this.#turn = turn;
    Object.defineProperty(this, 'signal', TurnAbilities.#SIGNAL);
  }

  get [INSIDE](): TurnInside {
    return this;
  }

  get deadline(): number {
    return this.#turn.deadline;
  }

  newCallId(called: string, id?: string): string {
    return this.#turn.newCallId(called, id);
  }

  /** Created on first access through one shared getter, for the same reason as in the context. */
  static readonly #SIGNAL: PropertyDescriptor & ThisType<TurnAbilities> = {
    enumerable: true,
    get() {
      return this.#turn.signal;
    },
  };
}

const CONVERSATION_LIMIT = 100;
const CONVERSATION_BYTES = 1024 * 1024;

function conversation(turn: Turn): RequestContext['conversation'] {
  const { writer } = turn.parts;
  const { store } = turn.parts.log;
  const { agent, tenant, owner, id } = writer.ref;
  const read = async ({ limit = CONVERSATION_LIMIT, maxBytes = CONVERSATION_BYTES }: ConversationQuery) => {
    checkQuery(limit, maxBytes);
    if (limit === 0) return [];
    // One more, because the message of this turn may be among them.
    const texts = await store.conversation({ agent, tenant, owner, contextId: writer.contextId }, limit + 1);
    const load = (taskId: string) => store.load({ ...writer.ref, id: taskId });
    return readConversation({ texts, current: { taskId: id, messageId: turn.open.request.message.messageId }, limit, maxBytes, load });
  };
  function tell(query: ConversationQuery & { readonly format: 'text' }): Promise<readonly EarlierText[]>;
  function tell(query?: ConversationQuery): Promise<readonly EarlierMessage[]>;
  async function tell(query: ConversationQuery & { readonly format?: 'text' } = {}): Promise<readonly (EarlierMessage | EarlierText)[]> {
    const messages = await read(query);
    return query.format === 'text' ? toEarlierTexts(messages) : messages;
  }
  return tell;
}

/** Not an A2AError, because that would be sent to the caller; this is a mistake of the developer. */
function checkQuery(limit: number, maxBytes: number): void {
  if (!Number.isSafeInteger(limit) || limit < 0)
    throw new TypeError(`conversation: limit must be a whole number of at least 0, got ${limit}`);
  if (!(maxBytes > 0)) throw new TypeError(`conversation: maxBytes must be a positive number, got ${maxBytes}`);
}
