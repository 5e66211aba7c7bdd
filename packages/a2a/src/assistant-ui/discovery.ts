/**
 * The card as Parley's client is to see it. An agent whose card can not be had is called all the same, as the package does: a card that we
 * write ourselves stands in for it.
 */
import type { ClientCall, ClientInterceptor, ClientReply, GetAgentCardResponse, Send } from '../client/call.js';
import { withoutRetries } from '../client/resilience/budget.js';
import { type A2AError, isTransportError, toA2AError } from '../protocol/errors.js';
import type { AgentCard } from '../protocol/types.js';
import { atHome, type Home, interfacesFor } from './addresses.js';

// A card that is slow must not keep anybody from calling the agent.
const CARD_MS = 10_000;
// How long a stand-in serves: an agent that answered has no card, one that did not may be there in a moment.
const NO_CARD_MS = 60_000;
const NO_ANSWER_MS = 5_000;

const originals = new WeakMap<AgentCard, AgentCard>();
const reasons = new WeakMap<AgentCard, A2AError>();

/** The card as its agent wrote it, for one that the client goes by; undefined for a stand-in. */
export function originalCard(card: AgentCard): AgentCard | undefined {
  return reasons.has(card) ? undefined : (originals.get(card) ?? card);
}

/** Why there is no card but a stand-in. */
export function whyNoCard(card: AgentCard): A2AError | undefined {
  return reasons.get(card);
}

export interface Discovery {
  readonly home: Home;
  /** To ask for, whatever the card says. */
  readonly extensions: readonly string[];
}

/** Turns every card that is fetched into the one to go by, and failures to fetch one into a stand-in. */
export function discover(discovery: Discovery): ClientInterceptor {
  return (next) => {
    let known = false;
    return async (call) => {
      if (call.method !== 'GetAgentCard') return next(call);
      try {
        const reply = await next(inShortTime(call, discovery.extensions));
        const value = cardAnswer(reply);
        known ||= value?.card !== undefined;
        return value?.card === undefined ? reply : { ...reply, kind: 'value', value: { ...value, card: toGoBy(value.card, discovery) } };
      } catch (thrown) {
        // A card that was there is gone on with; and who left wants none.
        if (known || call.signal?.aborted) throw thrown;
        return standIn(toA2AError(thrown), discovery);
      }
    };
  };
}

/** Answers for the card with the one that another client goes by, so that two clients fetch one. */
export function cardFrom(card: (signal: AbortSignal | undefined) => Promise<AgentCard>): ClientInterceptor {
  return (next: Send) => async (call) => {
    if (call.method !== 'GetAgentCard') return next(call);
    return { kind: 'value', value: { card: await card(call.signal), maxAgeMs: 0 }, extensions: [] };
  };
}

function inShortTime(call: ClientCall, extensions: readonly string[]): ClientCall {
  const timeouts = { ...call.timeouts, firstByteMs: CARD_MS, totalMs: CARD_MS };
  return { ...call, extensions, timeouts, budget: withoutRetries(call.budget) };
}

/** A reply to GetAgentCard holds such a value; one that an interceptor made need not. */
function cardAnswer(reply: ClientReply): GetAgentCardResponse | undefined {
  return reply.kind === 'value' ? (reply.value as GetAgentCardResponse) : undefined;
}

function toGoBy(card: AgentCard, { home, extensions }: Discovery): AgentCard {
  const { capabilities } = card;
  const declared = capabilities.extensions ?? [];
  const added = extensions.filter((wanted) => !declared.some(({ uri }) => uri === wanted)).map((uri) => ({ uri }));
  const result: AgentCard = {
    ...card,
    supportedInterfaces: interfacesFor(card, home),
    // Streaming that is not said is tried; an agent that can not do it says so before it does anything.
    capabilities: { ...capabilities, streaming: capabilities.streaming ?? true, extensions: [...declared, ...added] },
  };
  originals.set(result, card);
  return result;
}

function standIn(error: A2AError, { home, extensions }: Discovery): ClientReply<'GetAgentCard'> {
  const card: AgentCard = {
    name: home.url,
    description: '',
    version: '',
    supportedInterfaces: [atHome(home)],
    capabilities: { streaming: true, extensions: extensions.map((uri) => ({ uri })) },
    defaultInputModes: [],
    defaultOutputModes: [],
    skills: [],
  };
  reasons.set(card, error);
  const isSilent = isTransportError(error) && error.kind !== 'serialization';
  return { kind: 'value', value: { card, maxAgeMs: isSilent ? NO_ANSWER_MS : NO_CARD_MS }, extensions: [] };
}
