// An agent that returns the parts it gets, and data that 0.3 cannot express directly.
import { createAgent } from '@parley/a2a/server';

export function createPartsAgent() {
  return createAgent({
    name: 'Parts',
    version: '1.0.0',
    auth: 'none',
    defaultInputModes: ['*/*'],
    executor: {
      async execute(context, events) {
        await events.artifact({ artifactId: 'echo', name: 'Echo', parts: [...context.parts] }, { last: true });
        await events.artifact({ artifactId: 'values', parts: [{ data: [1, 'two', { three: 3 }] }, { data: 42 }] }, { last: true });
        await events.complete();
      },
    },
  });
}
