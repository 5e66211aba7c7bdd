/**
 * A2A 0.3 has two data models: the JSON schema of JSON-RPC, with `kind` tags, and the ProtoJSON of HTTP+JSON, without them. A translator
 * renames and moves members. It checks only what 1.0 cannot name (kinds and roles): its result is parsed as a message of 1.0.
 */
import type { MethodName, RequestOf } from '../../protocol/methods.js';
import type { StreamResponse } from '../../protocol/types.js';

/** Translates the requests and results of one data model of 0.3. */
export interface V03Model {
  /** The unchecked parameters of a 0.3 request as those of 1.0. Throws INVALID_PARAMS that names a member without a meaning in 1.0. */
  requestFromV03(method: MethodName, params: unknown): unknown;
  /** The parameters of a 1.0 request as those of 0.3. Members that 0.3 does not have are left out. */
  requestToV03<M extends MethodName>(method: M, params: RequestOf<M>): unknown;
  /** The unchecked result of a 0.3 operation, or an event of its stream, as one that the lenient reader of the client understands. */
  resultFromV03(method: MethodName, result: unknown): unknown;
  /** The result of a unary 1.0 operation as that of 0.3. */
  resultToV03(method: MethodName, result: unknown): unknown;
  /** An event of a 1.0 stream as an event of 0.3. `isFinal`: it is the last status of its stream. */
  eventToV03(event: StreamResponse, isFinal: boolean): unknown;
}
