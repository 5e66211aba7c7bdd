import { A2AError, toA2AError } from '../../protocol/errors.js';
import type { Tabs } from './tabs.js';

/** Each tab for itself: every seat leads, and nobody is told anything. */
export function soloTabs(): Tabs {
  return {
    async join(_name, member) {
      let isLeft = false;
      (async () => member.lead())().catch((thrown: unknown) => member.fail?.(toA2AError(thrown)));
      return {
        get isLeader() {
          return !isLeft;
        },
        tell() {},
        async ask(command) {
          if (isLeft) throw leftError();
          return member.handle(command);
        },
        leave() {
          isLeft = true;
        },
      };
    },
  };
}

/** For whoever asks, or waits for an answer, at a seat that was left. */
export function leftError(): A2AError {
  return new A2AError('ABORTED', 'this tab has left the conversation');
}
