// The guide lists what 0.3 cannot carry. Each of its rows has an example here; the property tests of messages, cards, errors and push
// configurations show that there is nothing else.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readAs } from '../src/client/transports/read-response.js';
import { PROTO, SCHEMA, toSupersetCard, type V03Model } from '../src/compat/v03/index.js';
import { A2AError } from '../src/protocol/errors.js';
import type { AgentCard, Part, SecurityScheme } from '../src/protocol/types.js';
import { encodeObjectError } from '../src/wire/jsonrpc.js';
import { readHttpFailure, readRpcError } from '../src/wire/read-error.js';
import { encodeObjectRestError } from '../src/wire/rest.js';
import { asReaderOfV03 } from './v03-reader.js';
import type { Json } from './v03-wire.js';

const wire = <T>(value: T): T => JSON.parse(JSON.stringify(value));

interface Binding {
  readonly model: V03Model;
  error(given: A2AError): A2AError;
}

const RPC: Binding = { model: SCHEMA, error: (given) => readRpcError(JSON.parse(encodeObjectError(1, given)).error) };
const REST: Binding = {
  model: PROTO,
  error: (given) => readHttpFailure({ status: given.httpStatus, header: () => undefined, bodyText: encodeObjectRestError(given) }),
};

/** An object of 1.0 after the way down and up again. */
type Travel = (binding: Binding) => unknown;

const part =
  (given: Part): Travel =>
  ({ model }) => {
    const message = { messageId: 'm', role: 'ROLE_AGENT', parts: [given] };
    const up = model.resultFromV03('SendMessage', wire(model.resultToV03('SendMessage', { message })));
    return readAs('SendMessageResponse', up, 'SendMessage').message?.parts[0];
  };

const task =
  (given: object): Travel =>
  ({ model }) => {
    const value = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' }, ...given };
    return readAs('Task', model.resultFromV03('GetTask', wire(model.resultToV03('GetTask', value))), 'GetTask');
  };

const send =
  (given: object): Travel =>
  ({ model }) => {
    const request = { message: { messageId: 'm', role: 'ROLE_USER' as const, parts: [{ text: 'x' }] }, ...given };
    return model.requestFromV03('SendMessage', wire(model.requestToV03('SendMessage', request)));
  };

const error =
  (given: ConstructorParameters<typeof A2AError>[2], pick: (read: A2AError) => unknown): Travel =>
  (binding) =>
    pick(binding.error(new A2AError('INVALID_PARAMS', 'x', given)));

const push =
  (given: object): Travel =>
  ({ model }) => {
    const config = { url: 'https://x.test', ...given };
    return model.resultFromV03('GetTaskPushNotificationConfig', wire(model.resultToV03('GetTaskPushNotificationConfig', config)));
  };

const CARD: AgentCard = {
  name: 'n',
  description: 'd',
  version: '1',
  supportedInterfaces: [{ url: 'https://a.test', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: {},
  defaultInputModes: [],
  defaultOutputModes: [],
  skills: [],
};

/** Cards have one form for both bindings, except for the extended card. */
const card =
  (given: Partial<AgentCard>): Travel =>
  () =>
    readAs('AgentCard', asReaderOfV03(wire(toSupersetCard({ ...CARD, ...given }))), 'GetAgentCard');

const scheme =
  (given: SecurityScheme): Travel =>
  (binding) =>
    (card({ securitySchemes: { it: given } })(binding) as AgentCard).securitySchemes?.it;

const code = { authorizationUrl: 'https://id.test/a', tokenUrl: 'https://id.test/t', scopes: {} };
const device = { deviceAuthorizationUrl: 'https://id.test/d', tokenUrl: 'https://id.test/t', scopes: {} };
const violations = [{ field: 'f', description: 'd' }];
const hop = {
  currentAgent: 'a',
  downstreamAgent: 'b',
  downstreamError: { code: -32603, reason: 'INTERNAL_ERROR', message: 'x' },
  retryable: true,
};
const noFlow = { oauth2SecurityScheme: { flows: {} } };

interface Row {
  readonly travel: Travel;
  /** What arrives over JSON-RPC, and over HTTP+JSON if it differs. */
  readonly rpc: unknown;
  readonly rest?: unknown;
}

/** The rows of the guide, in its words. Rows that the client refuses are tested where it does. */
const ROWS: Readonly<Record<string, Row | 'refused'>> = {
  '`filename` and `mediaType` of texts and data': {
    travel: part({ text: 'x', filename: 'f', mediaType: 'text/html' }),
    rpc: { text: 'x' },
  },
  'data that is not an object': { travel: part({ data: [1] }), rpc: { data: [1] } },
  'empty metadata of such data': { travel: part({ data: [1], metadata: {} }), rpc: { data: [1] } },
  '`referenceTaskIds` of a message': {
    travel: (binding) => {
      const history = [{ messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }], referenceTaskIds: ['r'] }];
      return (task({ history })(binding) as Json).history[0].referenceTaskIds;
    },
    rpc: ['r'],
    rest: undefined,
  },
  '`historyLength: 0` of a send': {
    travel: (binding) => (send({ configuration: { historyLength: 0 } })(binding) as Json).configuration.historyLength,
    rpc: 0,
    rest: undefined,
  },
  '`tenant`': 'refused',
  'the unspecified role and state': {
    travel: ({ model }) => {
      const history = [{ messageId: 'm', role: 'ROLE_UNSPECIFIED', parts: [{ text: 'x' }] }];
      const down = model.resultToV03('GetTask', { id: 't', status: { state: 'TASK_STATE_UNSPECIFIED' }, history }) as Json;
      return [down.history[0].role, down.status.state];
    },
    rpc: ['agent', 'unknown'],
    rest: ['ROLE_UNSPECIFIED', 'TASK_STATE_UNSPECIFIED'],
  },
  ListTasks: 'refused',
  'violations of an error': { travel: error({ violations }, (read) => [read.violations, read.metadata]), rpc: [[], { detail: 'f d' }] },
  'metadata of an error, but for `detail`': {
    travel: error({ metadata: { detail: 'd', other: 'o' } }, ({ metadata }) => metadata),
    rpc: { detail: 'd' },
  },
  'retry hint of the first agent in the chain of an error': {
    travel: error({ retryable: false, chain: [hop] }, ({ chain }) => chain[0]?.retryable),
    rpc: false,
  },
  'task id of a push configuration, if it or the id of the configuration contains `/`': {
    travel: (binding) => (push({ taskId: 'a/b', id: 'c' })(binding) as Json).taskId,
    rpc: 'a/b',
    rest: undefined,
  },
  'interface with a tenant or for gRPC on the card': {
    travel: (binding) => {
      const [at] = CARD.supportedInterfaces;
      const others = [
        { ...at, tenant: 't' },
        { ...at, protocolBinding: 'GRPC' },
      ] as AgentCard['supportedInterfaces'];
      return (card({ supportedInterfaces: [...CARD.supportedInterfaces, ...others] })(binding) as AgentCard).supportedInterfaces;
    },
    rpc: [{ url: 'https://a.test', protocolBinding: 'JSONRPC', protocolVersion: '0.3.0' }],
  },
  'signatures of the card': {
    travel: (binding) => (card({ signatures: [{ protected: 'p', signature: 's' }] })(binding) as AgentCard).signatures,
    rpc: undefined,
  },
  'OAuth flow for devices on the card': { travel: scheme({ oauth2SecurityScheme: { flows: { deviceCode: device } } }), rpc: noFlow },
  'flag for PKCE on the card': {
    travel: scheme({ oauth2SecurityScheme: { flows: { authorizationCode: { ...code, pkceRequired: true } } } }),
    rpc: { oauth2SecurityScheme: { flows: { authorizationCode: code } } },
  },
  'deprecated OAuth flow without its address on the card': {
    travel: scheme({ oauth2SecurityScheme: { flows: { implicit: { scopes: {} } } } }),
    rpc: noFlow,
  },
};

/** The cells of the first table below the heading. */
function guideRows(): readonly (readonly string[])[] {
  const guide = readFileSync(new URL('../../../docs/guides/older-agents.md', import.meta.url), 'utf8');
  const [, section = ''] = guide.split('## What 0.3 cannot carry');
  const [table = ''] = section.trim().split('\n\n');
  const rows = table.split('\n').slice(2);
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

test('D50: the rows of the guide are those of this test', () => {
  expect(guideRows().map(([name]) => name)).toEqual(Object.keys(ROWS));
});

describe.each(guideRows().map(([name = '', overRpc = '', overRest = '']) => ({ name, overRpc, overRest })))(
  'D50: $name',
  ({ name, overRpc, overRest }) => {
    test('D50: arrives as the guide says', () => {
      const row = ROWS[name];
      if (row === undefined) throw new Error('the test above names the row');
      if (row === 'refused') return expect([overRpc, overRest]).toEqual(['refused by the client', 'refused by the client']);
      const { travel, rpc } = row;
      const rest = 'rest' in row ? row.rest : rpc;
      expect(travel(RPC)).toEqual(rpc);
      expect(travel(REST)).toEqual(rest);
      // A member that only one of the bindings keeps.
      if ('rest' in row) expect(overRest === 'kept' || overRpc === 'kept').toBe(true);
      if (rest === undefined) expect(overRest).toBe('lost');
    });
  },
);
