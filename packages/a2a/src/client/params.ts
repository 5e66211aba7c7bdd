/** Completes the parameters of a call (ids, tenant, client options) and checks them before they are sent. */
import { A2AError } from '../protocol/errors.js';
import { METHODS, type MethodName, type RequestOf } from '../protocol/methods.js';
import { findViolations } from '../protocol/parse.js';
import type { AgentCard, SendMessageRequest } from '../protocol/types.js';
import { toSentence } from '../protocol/violations.js';
import { type ConfigurationDefaults, completeSend, toConfiguration } from './message.js';

export type Params = RequestOf<MethodName>;

/** Throws INVALID_PARAMS with the names of the invalid members, before anything is sent. */
export function checkParams(method: MethodName, params: Params): void {
  const type = METHODS[method].request;
  const violations = findViolations(type, params);
  if (violations.length === 0) return;
  throw new A2AError('INVALID_PARAMS', `${method}: ${toSentence(type, violations)}`, { violations });
}

/** Fills in what does not depend on the card: the id and the role of a message, and the tenant. */
export function completeParams(
  params: Params,
  { newId, tenant }: { readonly newId: () => string; readonly tenant: string | undefined },
): Params {
  const complete = isSend(params) ? completeSend(params, newId) : params;
  return tenant === undefined ? complete : { ...complete, tenant };
}

/** Fills in the client options that apply to every call. */
export function withDefaults(
  method: MethodName,
  params: Params,
  { defaults, card }: { readonly defaults: ConfigurationDefaults; readonly card: AgentCard },
): Params {
  if (isSend(params)) return { ...params, configuration: toConfiguration(params.configuration, defaults, card) };
  const { historyLength } = defaults;
  if (method === 'GetTask' && historyLength !== undefined) return { historyLength, ...params };
  return params;
}

// The characters and length that a header can hold. Other ids are percent-encoded.
const PLAIN_KEY = /^[\x21-\x7e]{1,256}$/;

/** Returns the key of a logical send, which all attempts share: the id of the message. */
export function idempotencyKeyOf(params: Params): string | undefined {
  if (!isSend(params)) return undefined;
  const { messageId } = params.message;
  return PLAIN_KEY.test(messageId) ? messageId : encodeURIComponent(messageId).slice(0, 256);
}

function isSend(params: Params): params is SendMessageRequest {
  return typeof params === 'object' && params !== null && 'message' in params;
}
