import type { EventBus } from './bus.js';

/** Creates a bus for a single agent: there are no other nodes, and local readers are notified directly. */
export function silentBus(): EventBus {
  return { notify: () => {}, listen: () => () => {}, close: async () => {} };
}
