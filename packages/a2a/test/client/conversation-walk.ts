/** A conversation with a scripted agent, on a manual clock. */
import type { Conversation, ConversationEvent } from '../../src/client/conversation/conversation.js';
import { createConversation } from '../../src/client/conversation/create-conversation.js';
import type { AgentMessage, ConversationMessage } from '../../src/client/conversation/message.js';
import type { ConversationOptions } from '../../src/client/conversation/options.js';
import { createClient } from '../../src/client/create-client.js';
import type { ClientOptions } from '../../src/client/options.js';
import { textOf } from '../../src/client/reply.js';
import type { A2AError } from '../../src/protocol/errors.js';
import type { AgentCard, Artifact, Message } from '../../src/protocol/types.js';
import { faultFetch } from '../../src/testing/fault-fetch.js';
import type { FaultScript } from '../../src/testing/faults/script.js';
import { type ManualClock, manualClock } from '../../src/testing/manual-clock.js';
import type { TestFetch } from '../../src/testing/test-fetch.js';

export interface MeetOptions {
  readonly conversation?: ConversationOptions;
  readonly client?: ClientOptions;
  readonly card?: Partial<AgentCard>;
  readonly log?: boolean;
  readonly clock?: ManualClock;
  /** Replaces the scripted agent. */
  readonly fetch?: TestFetch;
}

export interface Meeting {
  readonly conversation: Conversation;
  readonly clock: ManualClock;
  readonly fetch: TestFetch;
  /** The operations that the agent received, without requests for its card. */
  readonly operations: () => string[];
  /** The messages that the agent received. */
  readonly sent: () => Message[];
  readonly errors: A2AError[];
  readonly cancels: number[];
  readonly artifacts: Artifact[];
  readonly events: ConversationEvent[];
  /** Advances the clock until the promise settles. */
  finish<T>(promise: Promise<T>): Promise<T>;
}

let meetings = 0;

export function meet(script: FaultScript, more: MeetOptions = {}): Meeting {
  const { clock = manualClock(), card, log = false } = more;
  const fetch = more.fetch ?? faultFetch({ script, clock, log, ...(card && { card }) });
  const client = createClient('http://test', { fetch, clock, retry: false, breaker: false, compat: false, ...more.client });
  const errors: A2AError[] = [];
  const cancels: number[] = [];
  const artifacts: Artifact[] = [];
  const events: ConversationEvent[] = [];
  const conversation = createConversation(client, {
    clock,
    newId: idsFrom(),
    onError: (error) => void errors.push(error),
    onCancel: () => void cancels.push(clock.now()),
    onArtifactComplete: (artifact) => void artifacts.push(artifact),
    ...more.conversation,
  });
  conversation.onEvent((event) => events.push(event));
  const asked = () => fetch.requests.filter(({ operation }) => operation !== 'GetAgentCard');
  return {
    conversation,
    clock,
    fetch,
    errors,
    cancels,
    artifacts,
    events,
    operations: () => asked().map(({ operation }) => String(operation)),
    sent: () => asked().flatMap(({ params }) => (params as { message?: Message }).message ?? []), // the test knows the shape of its requests
    finish: (promise) => finish(clock, promise),
  };
}

/** Unique ids: two pages of one browser never create the same id. */
function idsFrom(): () => string {
  meetings += 1;
  const page = meetings;
  let count = 0;
  return () => {
    count += 1;
    return `p${page}-${count}`;
  };
}

async function finish<T>(clock: ManualClock, promise: Promise<T>): Promise<T> {
  let isOver = false;
  const over = (): void => {
    isOver = true;
  };
  promise.then(over, over);
  for (let turn = 0; turn < 2_000 && !isOver; turn += 1) await advance(clock, turn, 100);
  if (!isOver) throw new Error('the promise did not settle');
  return promise;
}

/**
 * Hashes and stores need event-loop iterations, more of them on a busy machine. The clock must stand still meanwhile, because advancing it
 * would cause timeouts.
 */
const STILL_TURNS = 300;
const HASH_EVERY = 30;

/**
 * Hashes are made by other threads. On a busy machine those may not run at all during the still iterations, so some of these wait for a
 * hash of their own, which is made after the earlier ones.
 */
async function advance(clock: ManualClock, turn: number, ms: number): Promise<void> {
  if (turn < STILL_TURNS && turn % HASH_EVERY === HASH_EVERY - 1) await crypto.subtle.digest('SHA-256', new Uint8Array());
  await clock.tick(turn < STILL_TURNS ? 0 : ms);
}

/** Advances the clock until the check returns true. An exception counts as false. */
export async function until(clock: ManualClock, isIt: () => boolean): Promise<void> {
  const is = (): boolean => {
    try {
      return isIt();
    } catch {
      return false;
    }
  };
  for (let turn = 0; turn < 2_000 && !is(); turn += 1) await advance(clock, turn, 10);
  if (!is()) throw new Error('the condition did not become true');
}

export const shown = (conversation: Conversation): string[] =>
  conversation.state.messages.map(({ role, parts }) => `${role === 'ROLE_USER' ? 'user' : 'agent'}: ${textOf(parts)}`);

export const textsOf = (message: ConversationMessage | undefined): (string | undefined)[] => message?.parts.map(({ text }) => text) ?? [];

/** The last message, which must be from the agent. */
export function answerOf(conversation: Conversation): AgentMessage {
  const last = conversation.state.messages.at(-1);
  if (last?.role !== 'ROLE_AGENT') throw new Error('the last message is not from the agent');
  return last;
}
