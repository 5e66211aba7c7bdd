/** Recognizes requests of A2A 0.3, and loads the translators at the first one. */
import type { A2AError } from '../protocol/errors.js';
import { isMethodName } from '../protocol/methods.js';
import type { AgentCard } from '../protocol/types.js';
import { isV03, parseVersion } from '../protocol/version.js';
import type { Agent } from '../server/agent.js';
import type { RpcRequest } from '../wire/jsonrpc.js';
import { encodeObjectRestError } from '../wire/rest.js';
import { type BindingRequest, versionOf } from './binding-request.js';
import type { RestVersion, RpcVersion } from './wire-version.js';

/** Where agents served their card before 0.3. */
export const OLD_CARD_PATH = '/.well-known/agent.json';

/** 0.3 beside 1.0: what an agent with the option `compat` serves. */
export interface Compat {
  /** The version that a JSON-RPC request uses, if it is an older one. */
  rpc(incoming: BindingRequest, rpc: RpcRequest): Promise<RpcVersion> | undefined;
  /** The same for a request of HTTP+JSON. */
  rest(incoming: BindingRequest): Promise<RestVersion> | undefined;
  /** The body of an error, if `rest` serves the request. */
  restError(incoming: BindingRequest, error: A2AError): string | undefined;
  /** The text of the card for callers that do not ask for 1.0; undefined: the same card for all callers. */
  cardText: ((card: AgentCard) => Promise<string>) | undefined;
}

/** A request without a version counts as 0.3. */
export function isForV03({ request }: Pick<BindingRequest, 'request'>): boolean {
  return isV03(parseVersion(versionOf(request)));
}

/** undefined when the agent serves only 1.0. */
export function createCompat({ settings }: Agent): Compat | undefined {
  const { compat, ids } = settings;
  if (compat === undefined) return undefined;
  let loading: Promise<typeof import('./v03/versions.js')> | undefined;
  const load = (): NonNullable<typeof loading> => {
    loading ??= import('./v03/versions.js').catch((cause: unknown) => {
      loading = undefined; // for example a file that could not be read: the next request tries again
      throw cause;
    });
    return loading;
  };
  // In 1.0, the first segment of such a path is a tenant called `v1`.
  const isRest = (incoming: BindingRequest): boolean => incoming.path.startsWith('/v1/') && isForV03(incoming);
  return {
    rpc(incoming, rpc) {
      if (isMethodName(rpc.method) || !isForV03(incoming)) return undefined;
      // With the key as its id, a repeated message is the same one.
      const key = incoming.request.header('idempotency-key') ?? incoming.request.header('x-idempotency-key');
      return load().then(({ rpcVersion }) => rpcVersion(rpc, key === undefined ? ids.messageId : () => key.trim()));
    },
    rest: (incoming) => (isRest(incoming) ? load().then(({ REST_V03 }) => REST_V03) : undefined),
    restError: (incoming, error) => (isRest(incoming) ? encodeObjectRestError(error) : undefined),
    cardText: compat.card === 'strict' ? undefined : (card) => load().then(({ cardText }) => cardText(card)),
  };
}
