/** A2A 0.3 and the plain dialect as versions of the two bindings. Loaded at the first request that needs it. */
import { checkFaults } from '#output-check';
import { findCardFaults, findFaults } from '../../compat/v03/faults.js';
import {
  fromRpcName,
  isPlain,
  PLAIN,
  PROTO,
  SCHEMA,
  toPlainError,
  toSupersetCard,
  V03_ROUTES,
  type V03Model,
  withMessageId,
} from '../../compat/v03/index.js';
import { A2AError } from '../../protocol/errors.js';
import { parseExtensions } from '../../protocol/extensions.js';
import { isStreaming } from '../../protocol/methods.js';
import type { AgentCard } from '../../protocol/types.js';
import type { WireRequest } from '../../wire/http.js';
import { encodeObjectError, type RpcRequest } from '../../wire/jsonrpc.js';
import { createRouter, encodeObjectRestError } from '../../wire/rest.js';
import { CURRENT, type RestVersion, type RpcVersion } from '../wire-version.js';
import { createReplies } from './replies.js';

const EXTENSIONS = 'x-a2a-extensions';

/** One model as a version: the same for both bindings. */
function versionOf(model: V03Model, modelName: 'schema' | 'proto') {
  return {
    isCurrent: false,
    paramsOf: model.requestFromV03,
    replyOf: createReplies(model),
    checkResult: (method, result) => checkFaults(() => findFaults(modelName, method, JSON.parse(result.json))),
    checkEvent: (json) => checkFaults(() => findFaults(modelName, 'SendStreamingMessage', JSON.parse(json))),
    extensionsOf: (request: WireRequest) => parseExtensions([request.header(EXTENSIONS) ?? '', ...CURRENT.extensionsOf(request)]),
    extensionsHeader: EXTENSIONS,
  } satisfies Partial<RpcVersion>;
}

const RPC_V03: RpcVersion = {
  ...versionOf(SCHEMA, 'schema'),
  methodOf({ method }) {
    const found = fromRpcName(method);
    if (found === undefined)
      throw new A2AError('METHOD_NOT_FOUND', `Method not found: A2A 0.3 has no ${JSON.stringify(method.slice(0, 64))}`);
    return found;
  },
  encodeError: encodeObjectError,
  // Both official clients accept only a stream as the response to these methods, and lose the code of any other.
  streamsErrors: ({ method }) => isStreaming(fromRpcName(method) ?? ''),
};

const RPC_PLAIN: RpcVersion = {
  ...RPC_V03,
  ...versionOf(PLAIN, 'schema'),
  encodeError: (id, error) => JSON.stringify({ jsonrpc: '2.0', id, error: toPlainError(error) }),
};

/** The version that this request uses. `newId` creates the id of a message without one, which only the plain dialect allows. */
export function rpcVersion({ method, params }: RpcRequest, newId: () => string): RpcVersion {
  const isSend = method === 'message/send' || method === 'message/stream';
  if (!isSend || !isPlain(params)) return RPC_V03;
  return { ...RPC_PLAIN, paramsOf: (name, given) => PLAIN.requestFromV03(name, withMessageId(given, newId)) };
}

/** 0.3 in HTTP+JSON. */
export const REST_V03: RestVersion = {
  ...versionOf(PROTO, 'proto'),
  route: createRouter(V03_ROUTES, { tenants: false }),
  encodeError: encodeObjectRestError,
  replyType: 'application/json',
};

/** The text of the card with the members of both versions. */
export function cardText(card: AgentCard): string {
  const superset = toSupersetCard(card);
  checkFaults(() => findCardFaults(superset));
  return JSON.stringify(superset);
}
