// biome-ignore-all lint/correctness/noUnusedFunctionParameters: this is the sample of the architecture document, unchanged
// An agent that the test kills. While a file `hold` exists, its plan stops after the first chunk.
import { existsSync } from 'node:fs';
import { setTimeout as think } from 'node:timers/promises';
import { listen } from '@parley/a2a/node';
import { createAgent } from '@parley/a2a/server';
import { sqlite } from '@parley/a2a/sqlite';

/**
 * @param {string} city
 * @param {{ signal: AbortSignal }} options
 */
async function* plan(city, { signal }) {
  for (const day of ['Friday', 'Saturday', 'Sunday']) {
    yield `${day} in ${city}.\n`;
    while (existsSync('hold')) await think(20, undefined, { signal });
  }
}

// biome-ignore format: the layout of the document
const agent = createAgent({
  name: 'Trip planner', description: 'Plans trips', skills: [/* … */],
  store: sqlite('agent.db'),
  executor: {
    async execute(context, events) {                              // AgentExecutor: the contract
      await events.working('Looking at the map');
      const city = await context.requireInput('Which city?');     // INPUT_REQUIRED; asked once, also across restarts (D14)
      for await (const chunk of plan(city, { signal: context.signal })) await events.appendText('plan', chunk);
      await events.complete();
    },
    async cancel(context, events) { /* optional; context.signal is already aborted */ },
  },
});
await listen(agent, { port: 4000 });
