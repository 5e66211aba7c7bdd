import { A2AError, toA2AError } from '../../protocol/errors.js';
import type { Tabs } from './tabs.js';

/** No sharing between tabs: every tab is its own leader and sends nothing to the others. */
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

/** The error of commands that are sent, or still pending, after `leave`. */
export function leftError(): A2AError {
  return new A2AError('ABORTED', 'this tab has left the conversation');
}
