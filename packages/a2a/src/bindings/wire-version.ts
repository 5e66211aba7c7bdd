/** How one protocol version looks on the wire. The runtime knows only the messages of 1.0; every other version is translated here. */
import { checkOutput } from '#output-check';
import type { A2AError } from '../protocol/errors.js';
import { METHODS, type MethodName } from '../protocol/methods.js';
import type { Reply } from '../server/call.js';
import type { WireRequest } from '../wire/http.js';
import { encodeError, type RpcId, type RpcRequest } from '../wire/jsonrpc.js';
import { encodeRestError, matchRoute, type Router } from '../wire/rest.js';
import { extensionsOf } from './binding-request.js';

/** The part that both bindings share. */
interface WireVersion {
  /** It is the version of the runtime. */
  readonly isCurrent: boolean;
  /** The unchecked parameters of a request as those of 1.0. */
  paramsOf(method: MethodName, params: unknown): unknown;
  /** Translates the reply of the runtime. */
  replyOf(method: MethodName, reply: Reply): Reply | Promise<Reply>;
  /** For tests: throws when a result is not one of this version. */
  checkResult(method: MethodName, result: { readonly json: string }): void;
  /** For tests: the same for an event of a stream. */
  checkEvent(json: string): void;
  /** The URIs of extensions that the request asks for. */
  extensionsOf(request: WireRequest): readonly string[];
  /** The header with the active extensions of a reply. */
  readonly extensionsHeader: string;
}

/** A protocol version in JSON-RPC. */
export interface RpcVersion extends WireVersion {
  /** The operation of a request; throws METHOD_NOT_FOUND. */
  methodOf(rpc: RpcRequest): MethodName;
  /** The complete response for an error. */
  encodeError(id: RpcId, error: A2AError, requestId: string): string;
  /** Whether clients of this version expect the error of this request as the only event of a stream. */
  streamsErrors(rpc: RpcRequest): boolean;
}

/** A protocol version in HTTP+JSON. */
export interface RestVersion extends WireVersion {
  readonly route: Router;
  /** The complete body for an error. */
  encodeError(error: A2AError, requestId: string): string;
  /** Media type of replies; undefined: the one that the request accepts. */
  readonly replyType?: string;
}

/** 1.0, which needs no translation. */
export const CURRENT: WireVersion = {
  isCurrent: true,
  paramsOf: (_method, params) => params,
  replyOf: (_method, reply) => reply,
  checkResult: (method, { json }) => checkOutput(METHODS[method].response, json),
  checkEvent: (json) => checkOutput('StreamResponse', json),
  extensionsOf,
  extensionsHeader: 'a2a-extensions',
};

/** 1.0 in HTTP+JSON. */
export const CURRENT_REST: RestVersion = { ...CURRENT, route: matchRoute, encodeError: encodeRestError };

/** 1.0 in JSON-RPC. `methodOf` depends on the agent. */
export function currentRpc(methodOf: RpcVersion['methodOf']): RpcVersion {
  return { ...CURRENT, methodOf, encodeError, streamsErrors: () => false };
}
