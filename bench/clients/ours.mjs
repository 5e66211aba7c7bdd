// Parley's client with default options, over fetch or over pooled connections.
import { createClient } from '@parley/a2a/client';
import { pooled } from '@parley/a2a/node';
import { cardOf } from './card.mjs';

/**
 * @param {string} url
 * @param {'fetch' | 'pooled'} way
 * @returns {import('../client-process.mjs').Sender}
 */
export function createSender(url, way) {
  const client = createClient(cardOf(url), way === 'pooled' ? { exchange: pooled() } : { fetchOptions: {} });
  return async () => {
    const reply = await client.send('task', { contextId: null });
    return reply.kind === 'task' ? reply.state : 'a message';
  };
}
