/** The transports of A2A 0.3 and of the plain dialect. */
import { fromPlainResult, isV03Method, PROTO, SCHEMA, toPlainRequest, toRpcName, V03_ROUTES } from '../../compat/v03/index.js';
import { isObject } from '../../protocol/is-object.js';
import { isMethodName, isStreaming } from '../../protocol/methods.js';
import { createTargets } from '../../wire/rest-target.js';
import type { ClientCall } from '../call.js';
import { jsonRpcIn, type RpcFormat } from '../transports/jsonrpc.js';
import { type RestFormat, restIn } from '../transports/rest.js';
import { noteReply, timesBefore } from './plain-questions.js';

const toTarget = createTargets(V03_ROUTES);

const RPC_FORMAT: RpcFormat = {
  methodName: (method) => (isMethodName(method) && isV03Method(method) ? toRpcName(method) : method),
  toParams: ({ method, params }) => (isMethodName(method) ? SCHEMA.requestToV03(method, params as never) : params), // the params of its method
  fromResult: (call, result) => (isMethodName(call.method) ? ofOneTask(call, SCHEMA.resultFromV03(call.method, result)) : result),
  isLastEvent: isFinal,
};

const PLAIN_FORMAT: RpcFormat = {
  ...RPC_FORMAT,
  toParams: (call) => (isSend(call) ? toPlainRequest(call.params) : RPC_FORMAT.toParams(call)),
  fromResult: (call, result) => {
    noteReply(call);
    const { method, params, requestId } = call;
    const id = 'id' in params && params.id !== undefined ? params.id : requestId;
    return isMethodName(method) ? fromPlainResult(method, result, { id, timesBefore: (question) => timesBefore(call, question) }) : result;
  },
};

const REST_FORMAT: RestFormat = {
  toTarget({ method, params }, { at, route }) {
    const content = PROTO.requestToV03(method, params);
    // The query of 0.3 has no tenant; the path has one only as part of the address.
    const { tenant: _, ...members }: { readonly tenant?: unknown } = params;
    return toTarget({ method, params: members, base: at.url, route, content: isObject(content) ? withoutPath(content) : content });
  },
  contentType: 'application/json',
  fromResult: (call, result) => (isMethodName(call.method) ? ofOneTask(call, PROTO.resultFromV03(call.method, result)) : result),
  isLastEvent: (result) => isObject(result) && isFinal(result.statusUpdate ?? result.status_update),
};

export const RPC = jsonRpcIn(RPC_FORMAT);
export const PLAIN = jsonRpcIn(PLAIN_FORMAT);
export const REST = restIn(REST_FORMAT);

function isSend(call: ClientCall): call is ClientCall<'SendMessage' | 'SendStreamingMessage'> {
  return call.method === 'SendMessage' || call.method === 'SendStreamingMessage';
}

/** A server of 0.3 marks the last status of its stream, and may keep the connection open after it. */
function isFinal(event: unknown): boolean {
  return isObject(event) && event.final === true;
}

/** The task of each stream. */
const TASKS = new WeakMap<ClientCall, string>();

/**
 * A stream of 0.3 is about one task. When an executor of the official SDK 0.3 throws, the SDK reports that with `final` and the id of a task
 * that does not exist: without this correction the failure would be lost.
 */
function ofOneTask(call: ClientCall, event: unknown): unknown {
  if (!isStreaming(call.method) || !isObject(event)) return event;
  const { task, statusUpdate, artifactUpdate } = event;
  const content = [task, statusUpdate, artifactUpdate].find(isObject) ?? event; // wrapped over HTTP+JSON
  const taskId = content.taskId ?? content.id;
  const known = TASKS.get(call);
  if (known === undefined && typeof taskId === 'string') TASKS.set(call, taskId);
  if (known === undefined || known === taskId || !isFinal(content)) return event;
  return isObject(statusUpdate) ? { statusUpdate: { ...statusUpdate, taskId: known } } : { ...event, taskId: known };
}

/** The ids are in the path. */
function withoutPath(content: Readonly<Record<string, unknown>>): unknown {
  const { id: _, taskId: __, ...rest } = content;
  return rest;
}
