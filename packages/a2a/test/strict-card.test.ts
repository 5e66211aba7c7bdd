// The tests of the 1.0 bindings once more, with agents whose card has only the members of 1.0.
import { describe, expect, test, vi } from 'vitest';
import { createAgent } from '../src/server/create-agent.js';
import { fetchInProcess, type Headings, V1 } from './endpoints.js';
import { schemaErrors } from './v03-schemas.js';

vi.mock('../src/server/create-agent.js', async (load) => {
  const original = await load<typeof import('../src/server/create-agent.js')>();
  return {
    ...original,
    createAgent: (options: Parameters<typeof createAgent>[0]) => original.createAgent({ compat: { card: 'strict' }, ...options }),
  };
});

const VERSIONS: readonly Headings[] = [{}, { 'a2a-version': '0.3' }, V1];

test('D50: the agents of these tests have the strict card, which is the same for all versions', async () => {
  const agent = createAgent({ name: 'A', auth: 'none', execute: async ({ text }) => text });
  const knock = fetchInProcess(agent);
  for (const headers of VERSIONS) {
    const response = await knock('/.well-known/agent-card.json', { headers });
    expect(schemaErrors('1.0', 'AgentCard', await response.json())).toEqual([]);
    expect(response.headers.get('vary') ?? '').not.toContain('A2A-Version');
  }
});

/** Without the tests of the card itself (card, cors, hosts), which expect the default one. */
const SUITES = {
  access: () => import('../src/bindings/access.test.js'),
  'bad-requests': () => import('../src/bindings/bad-requests.test.js'),
  errors: () => import('../src/bindings/errors.test.js'),
  'event-stream': () => import('../src/bindings/event-stream.test.js'),
  headers: () => import('../src/bindings/headers.test.js'),
  jsonrpc: () => import('../src/bindings/jsonrpc.test.js'),
  rest: () => import('../src/bindings/rest.test.js'),
  service: () => import('../src/bindings/service.test.js'),
  idempotency: () => import('./idempotency.test.js'),
  'one-agent': () => import('./one-agent.test.js'),
  rulings: () => import('./rulings.test.js'),
};

for (const [name, load] of Object.entries(SUITES)) {
  describe(`D50: with the strict card: ${name}`, async () => {
    await load();
  });
}
