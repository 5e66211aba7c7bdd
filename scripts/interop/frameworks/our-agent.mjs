// Parley's agent for the clients of other frameworks. The text of a message selects what it does.
import { setTimeout as sleep } from 'node:timers/promises';
import { createAgent } from '@parley/a2a/server';

/** Accepts any reply, so that a data part is returned as it is. */
const ANYTHING = {
  '~standard': /** @type {const} */ ({ version: 1, vendor: 'interop', validate: (/** @type {unknown} */ value) => ({ value }) }),
};

/** A question as ADK asks it: the call of a long-running tool. Its client recognizes it by the metadata. */
const FORM = {
  data: { id: 'ask-city', name: 'ask_city', args: { question: 'Which city?' } },
  metadata: { adk_type: 'function_call', adk_is_long_running: true },
};

export function createInteropAgent() {
  return createAgent({
    name: 'interop_agent',
    description: 'Does what the text of a message says',
    version: '1.0.0',
    auth: 'none',
    execute,
  });
}

/**
 * @param {import('@parley/a2a/server').RequestContext} context
 * @param {import('@parley/a2a/server').TaskEvents} events
 */
async function execute(context, events) {
  const { raw, mediaType } = context.parts.find((part) => part.raw !== undefined) ?? {};
  if (raw !== undefined) return `Received ${Buffer.from(raw, 'base64').length} bytes of ${mediaType}`;
  switch (context.text) {
    case 'stream':
      return stream(events);
    case 'ask':
      return `A room in ${await context.requireInput('Which city?')}.`;
    case 'ask with a form': {
      const reply = /** @type {{ response: { city: string } }} */ (await context.requireInput([FORM], { schema: ANYTHING }));
      return `A room in ${reply.response.city}.`;
    }
    case 'fail':
      return events.fail('The agent failed on purpose.');
    case 'slow':
      return waitForCancel(context, events);
    case 'file':
      return events.file({ filename: 'report.txt', mediaType: 'text/plain', text: 'Hello file' });
    default:
      return `You said: ${context.text}`;
  }
}

/** @param {import('@parley/a2a/server').TaskEvents} events */
async function stream(events) {
  for (const [index, text] of ['one ', 'two ', 'three'].entries()) {
    await events.appendText('answer', text, { name: 'answer', last: index === 2 });
    await sleep(20);
  }
}

/**
 * @param {import('@parley/a2a/server').RequestContext} context
 * @param {import('@parley/a2a/server').TaskEvents} events
 */
async function waitForCancel({ signal }, events) {
  await events.working('Waiting to be canceled');
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
