import type { EventBus } from './bus.js';

/** For an agent that is alone: there is nobody to tell, and its own readers are told directly. */
export function silentBus(): EventBus {
  return { notify: () => {}, listen: () => () => {}, close: async () => {} };
}
