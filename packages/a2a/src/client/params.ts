/** What is sent beside what the caller said: ids, tenant, wishes; and the check that it may be sent at all. */
import { A2AError } from '../protocol/errors.js';
import { METHODS, type MethodName, type RequestOf } from '../protocol/methods.js';
import { findViolations } from '../protocol/parse.js';
import type { AgentCard, SendMessageRequest } from '../protocol/types.js';
import { toSentence } from '../protocol/violations.js';
import { completeSend, toConfiguration, type Wishes } from './message.js';

export type Params = RequestOf<MethodName>;

/** Wrong values are told here, by the name of the member, before anything is sent. */
export function checkParams(method: MethodName, params: Params): void {
  const type = METHODS[method].request;
  const violations = findViolations(type, params);
  if (violations.length === 0) return;
  throw new A2AError('INVALID_PARAMS', `${method}: ${toSentence(type, violations)}`, { violations });
}

/** With what needs no card: the id and role of a message, and the tenant that the caller chose. */
export function completeParams(
  params: Params,
  { newId, tenant }: { readonly newId: () => string; readonly tenant: string | undefined },
): Params {
  const complete = isSend(params) ? completeSend(params, newId) : params;
  return tenant === undefined ? complete : { ...complete, tenant };
}

/** With what the caller wishes for every call. */
export function withWishes(
  method: MethodName,
  params: Params,
  { wishes, card }: { readonly wishes: Wishes; readonly card: AgentCard },
): Params {
  if (isSend(params)) return { ...params, configuration: toConfiguration(params.configuration, wishes, card) };
  const { historyLength } = wishes;
  if (method === 'GetTask' && historyLength !== undefined) return { historyLength, ...params };
  return params;
}

// What a header can hold; other ids travel escaped.
const PLAIN_KEY = /^[\x21-\x7e]{1,256}$/;

/** One key per logical send, whatever is tried: the message's own id. */
export function idempotencyKeyOf(params: Params): string | undefined {
  if (!isSend(params)) return undefined;
  const { messageId } = params.message;
  return PLAIN_KEY.test(messageId) ? messageId : encodeURIComponent(messageId).slice(0, 256);
}

function isSend(params: Params): params is SendMessageRequest {
  return typeof params === 'object' && params !== null && 'message' in params;
}
