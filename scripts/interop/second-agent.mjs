// A second agent for cases that the demo cannot cover: the demo streams, has no authentication, requires no extension and always replies.
import { bearer } from '@parley/a2a/security';
import { createAgent } from '@parley/a2a/server';

export const REQUIRED_EXTENSION = 'urn:example:interop:required';

/**
 * Identifies two callers by their tokens. Only one of them gets an extended card.
 *
 * @param {Pick<import('@parley/a2a/server').AgentOptions, 'compat'>} [options]
 */
export function createSecondAgent({ compat } = {}) {
  return createAgent({
    name: 'Second agent',
    compat,
    version: '2.0.0',
    security: bearer(),
    extensions: [{ uri: REQUIRED_EXTENSION, required: true }],
    streaming: false,
    // The reply is always a Message, even on a slow machine.
    taskAfterMs: Number.POSITIVE_INFINITY,
    auth: (request) => {
      const [, id] = /^Bearer +(known|stranger)$/i.exec(request.header('authorization') ?? '') ?? [];
      return id === undefined ? undefined : { id };
    },
    extendedCard: ({ id }) => (id === 'known' ? extendedCard() : undefined),
    executor: {
      async execute(context, events) {
        if (context.text !== 'nothing') await events.reply(`You are ${context.caller.id}.`);
      },
    },
  });
}

/** @returns {import('@parley/a2a').AgentCard} */
function extendedCard() {
  return {
    name: 'Second agent, extended',
    description: 'The extended card.',
    version: '2.0.0',
    supportedInterfaces: [{ url: 'http://localhost', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: {},
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'secret', name: 'Secret', description: 'Only for known callers.', tags: ['secret'] }],
  };
}

/**
 * The demo is deliberately slow for people who watch it; this clock runs ten times as fast.
 * @type {import('@parley/a2a').Clock}
 */
export const quickClock = {
  now: () => Date.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs / 10);
    return () => clearTimeout(timer);
  },
  soon: (callback) => void setImmediate(callback),
};
