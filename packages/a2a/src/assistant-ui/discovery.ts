/**
 * Adapts the agent's card for Parley's client. An agent whose card cannot be fetched is still called, as in react-a2a, with a substitute
 * card that is created here.
 */
import type { ClientCall, ClientInterceptor, ClientReply, GetAgentCardResponse, Send } from '../client/call.js';
import { withoutRetries } from '../client/resilience/budget.js';
import { type A2AError, isTransportError, toA2AError } from '../protocol/errors.js';
import type { AgentCard } from '../protocol/types.js';
import { atHome, type Home, interfacesFor } from './addresses.js';

// A slow card must not block calls of the agent.
const CARD_MS = 10_000;
// How long a substitute card is used. An agent that responded has no card; an agent that did not respond may be back soon.
const NO_CARD_MS = 60_000;
const NO_ANSWER_MS = 5_000;

const originals = new WeakMap<AgentCard, AgentCard>();
const reasons = new WeakMap<AgentCard, A2AError>();

/** The card as the agent wrote it; undefined for a substitute card. */
export function originalCard(card: AgentCard): AgentCard | undefined {
  return reasons.has(card) ? undefined : (originals.get(card) ?? card);
}

/** The error of the failed fetch, if this is a substitute card. */
export function whyNoCard(card: AgentCard): A2AError | undefined {
  return reasons.get(card);
}

export interface Discovery {
  readonly home: Home;
  /** Extensions to request, whatever the card declares. */
  readonly extensions: readonly string[];
}

/** Replaces each fetched card with its adapted form, and each failed fetch with a substitute card. */
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
        // No substitute if an earlier card exists, because the client keeps using it, or if the caller aborted.
        if (known || call.signal?.aborted) throw thrown;
        return standIn(toA2AError(thrown), discovery);
      }
    };
  };
}

/** Answers GetAgentCard with the card of another client, so that both clients fetch it only once. */
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

/** A value reply to GetAgentCard has this type. A reply from an interceptor may be of another kind. */
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
    // Streaming is tried unless the card says false: an agent without it refuses the call before it does any work.
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
