/** Exports the error table and the error classes. */
export {
  A2AError,
  type A2AErrorOptions,
  type BadRequest,
  type ChainDetail,
  type ErrorDetail,
  type ErrorInfo,
  type ErrorKind,
  type FieldViolation,
  isA2AError,
  markNotRetryable,
  markPeer,
  type OtherDetail,
  type RetryInfo,
  toA2AError,
} from './a2a-error.js';
export {
  A2AActivationTimeoutError,
  A2ACardSignatureError,
  A2ACircuitOpenError,
  A2AClientToolsNotSupportedError,
  A2AExtensionError,
  A2AIncompatibleProtocolVersionError,
  A2AInputRequiredError,
  A2AInputTimeoutError,
  A2AInvalidCardError,
  A2AReconnectError,
  A2ATaskAuthRequiredError,
  A2ATaskCanceledError,
  A2ATaskFailedError,
  A2ATaskRejectedError,
  A2ATaskTerminalError,
  A2ATransportError,
  isTerminalError,
  isTransportError,
  type TimeoutPhase,
  type TransportErrorOptions,
  type TransportKind,
} from './client-errors.js';
export { type Hop, isDownstreamError, wrapDownstreamError } from './downstream.js';
export type { ErrorLink, NestedLink } from './error-chain.js';
export { ERRORS, type ErrorReason, type ErrorRow, type GrpcStatus, isKnownDomain, isPeerReason, reasonOfCode } from './error-table.js';
