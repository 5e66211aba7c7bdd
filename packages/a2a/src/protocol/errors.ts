/** The error table and the error class under one import. */
export {
  A2AError,
  type A2AErrorOptions,
  type BadRequest,
  type ErrorDetail,
  type ErrorInfo,
  type FieldViolation,
  isA2AError,
  type RetryInfo,
  toA2AError,
} from './a2a-error.js';
export { ERRORS, type ErrorReason, type ErrorRow, type GrpcStatus, reasonOfCode } from './error-table.js';
