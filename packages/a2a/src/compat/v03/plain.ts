/**
 * A dialect older than 0.3, from an article about error handling: the method names of 0.3, parts with `type` instead of `kind`, messages
 * without an id, and eight error codes that A2A uses for other errors. We call it plain, because its agents have no card.
 */
import { A2AError, ERRORS, type ErrorReason } from '../../protocol/errors.js';
import { isObject } from '../../protocol/is-object.js';
import type { MethodName } from '../../protocol/methods.js';
import { readFailure } from '../../protocol/read-failure.js';
import type { Task } from '../../protocol/types.js';
import { type ObjectRpcError, toJsonRpcError } from '../../wire/jsonrpc.js';
import { codeInDialect, reasonInDialect } from '../../wire/plain-codes.js';
import type { V03Model } from './model.js';
import { given, partToSchema } from './parts.js';
import { schemaModel } from './schema.js';

/** Whether these parameters of `message/send` or `message/stream` are in the plain dialect: a part has a `type`, and none has a `kind`. */
export function isPlain(params: unknown): boolean {
  const message = isObject(params) ? params.message : undefined;
  const parts = isObject(message) && Array.isArray(message.parts) ? message.parts.filter(isObject) : [];
  return parts.some(({ type }) => typeof type === 'string') && parts.every(({ kind }) => kind === undefined || kind === null);
}

/** Replies have both names: readers of this dialect look at `type`. */
const MODEL = schemaModel((part) => {
  const { kind, ...rest } = partToSchema(part);
  return { type: kind, kind, ...rest };
});

/** The model of the dialect. */
export const PLAIN: V03Model = {
  ...MODEL,
  resultToV03(method, result) {
    throwFailure(method, result);
    return MODEL.resultToV03(method, result);
  },
};

/** The parameters of a send with an id in the message, which callers of this dialect leave out. */
export function withMessageId(params: unknown, newId: () => string): unknown {
  if (!isObject(params) || !isObject(params.message)) return params;
  const { messageId } = params.message;
  const isMissing = messageId === undefined || messageId === null || messageId === '';
  return isMissing ? { ...params, message: { ...params.message, messageId: newId() } } : params;
}

/** Callers of this dialect never read the state of a task: the reason of a failed one becomes the error of the call. */
function throwFailure(method: MethodName, result: unknown): void {
  const task = method === 'SendMessage' && isObject(result) ? (result.task as Task | undefined) : undefined; // our own result
  if (task?.status.state !== 'TASK_STATE_FAILED') return;
  const failure = readFailure(task);
  if (failure === undefined) return;
  const { reason, retryable, retryAfterMs, chain, message } = failure;
  throw new A2AError(reason, message === '' ? ERRORS[reason].name : message, { retryable, retryAfterMs, chain });
}

/** The error with the codes of the dialect, also for each hop of its chain. */
export function toPlainError(error: A2AError): ObjectRpcError {
  const { message, data } = toJsonRpcError(error, { data: 'object' });
  return { code: toCode(error.reason, error.code), message, data: withPlainCodes(data) };
}

/** Errors of A2A whose codes mean something else in the dialect. The caller's retry rules decide by the code, so none of these may invite a retry. */
const INSTEAD: Partial<Record<ErrorReason, number>> = {
  TASK_NOT_CANCELABLE: ERRORS.INVALID_REQUEST.rpc,
  PUSH_NOTIFICATION_NOT_SUPPORTED: ERRORS.INVALID_PARAMS.rpc,
  UNSUPPORTED_OPERATION: ERRORS.INVALID_REQUEST.rpc,
  CONTENT_TYPE_NOT_SUPPORTED: ERRORS.INVALID_PARAMS.rpc,
  INVALID_AGENT_RESPONSE: ERRORS.INVALID_REQUEST.rpc, // the agent would fail again, and -32603 invites a retry
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: ERRORS.METHOD_NOT_FOUND.rpc,
  EXTENSION_SUPPORT_REQUIRED: ERRORS.INVALID_REQUEST.rpc,
};

function toCode(reason: ErrorReason, code: number): number {
  return codeInDialect(reason) ?? INSTEAD[reason] ?? (reasonInDialect(code) !== undefined ? ERRORS.INTERNAL_ERROR.rpc : code);
}

function withPlainCodes<T extends object>(link: T): T {
  const { downstreamError }: { readonly downstreamError?: unknown } = link;
  if (!isObject(downstreamError)) return link;
  const { code, reason, data } = downstreamError;
  const known = typeof reason === 'string' && Object.hasOwn(ERRORS, reason) ? (reason as ErrorReason) : undefined; // checked: a key of the table
  const { retryable, retryAfter }: { readonly retryable?: unknown; readonly retryAfter?: unknown } = link;
  return {
    ...link,
    downstreamError: {
      ...downstreamError,
      ...(known !== undefined && typeof code === 'number' && { code: toCode(known, code) }),
      // Callers of this dialect look for the hint of an error in its own data.
      data: isObject(data) ? withPlainCodes(data) : given({ retryable, retryAfter }),
    },
  };
}
