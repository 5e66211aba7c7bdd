/** Converts a leg of the script to the bytes of an answer, independent of the transport. */
import { STREAM_HEADERS } from '../../bindings/event-stream.js';
import { buildCard } from '../../protocol/agent-card.js';
import { A2AError } from '../../protocol/errors.js';
import { encodeError, encodeResult, resultFrame } from '../../wire/jsonrpc.js';
import { encodeRestError } from '../../wire/rest.js';
import { BARE_FRAME, errorFrame, frameEnd } from '../../wire/sse.js';
import type { Finish } from '../in-process.js';
import type { RecordedOperation, RecordedRequest } from '../recorded-request.js';
import { createCut, GARBAGE } from './network-fault.js';
import type { FaultPeerOptions, PhaseDelays, ScriptedEvent, ScriptedResponse, ScriptedResponses } from './script.js';

/** An answer ready to play: headers, then chunks, then an end. */
export interface StagedReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: readonly Uint8Array[];
  readonly finish: Finish;
  readonly delays: PhaseDelays;
}

/** Not even headers. */
type NoReply = 'drop' | 'stall';

export type Stage = (request: RecordedRequest) => StagedReply | NoReply;

type Leg = Exclude<ScriptedResponse, number | string>;
type EventsLeg = Extract<Leg, { readonly events: unknown }>;

/** Counts which leg of each operation is next. */
export function createStage({ script, card = {}, log = false }: FaultPeerOptions, urlOf: () => string): Stage {
  const played = new Map<RecordedOperation, number>();
  const cardLeg = (): ScriptedResponse => ({ value: { ...usualCard(urlOf(), log), ...card } });
  return (request) => {
    const { operation } = request;
    if (operation === undefined) return stage(nothingHere(request), request);
    const turn = played.get(operation) ?? 0;
    played.set(operation, turn + 1);
    const legs = script[operation] ?? (operation === 'GetAgentCard' ? cardLeg() : nothingHere(request));
    return stage(legAt(legs, turn, request), request);
  };
}

function legAt(legs: ScriptedResponses, turn: number, request: RecordedRequest): ScriptedResponse {
  if (typeof legs === 'function') return legs(request);
  if (!isList(legs)) return legs;
  const leg = legs[turn] ?? legs.at(-1);
  if (leg === undefined) throw new A2AError('INVALID_PARAMS', `the script of ${request.operation} has no legs`);
  return leg;
}

/** Array.isArray does not narrow readonly lists. */
function isList(legs: ScriptedResponse | readonly ScriptedResponse[]): legs is readonly ScriptedResponse[] {
  return Array.isArray(legs);
}

function nothingHere({ method, path }: RecordedRequest): ScriptedResponse {
  return { error: new A2AError('METHOD_NOT_FOUND', `the script has no answer to ${method} ${path}`) };
}

function stage(leg: ScriptedResponse, request: RecordedRequest): StagedReply | NoReply {
  if (typeof leg === 'string') return leg;
  if (typeof leg === 'number') return stage({ status: leg }, request);
  const reply = 'events' in leg ? toStream(leg, request) : toBody(leg, request);
  return leg.cutAfterBytes === undefined ? reply : { ...reply, ...cutBody(reply, leg.cutAfterBytes) };
}

function cutBody({ chunks, finish }: StagedReply, afterBytes: number): Pick<StagedReply, 'chunks' | 'finish'> {
  const cut = createCut({ do: 'drop', afterBytes });
  const kept: Uint8Array[] = [];
  for (const chunk of chunks) {
    const passed = cut(chunk);
    kept.push(passed.bytes);
    if (passed.finish !== undefined) return { chunks: kept, finish: passed.finish };
  }
  return { chunks: kept, finish };
}

function toBody(leg: Exclude<Leg, EventsLeg>, request: RecordedRequest): StagedReply {
  const { status, text } = toText(leg, request);
  const bytes = encode(text);
  const middle = Math.ceil(bytes.byteLength / 2);
  return {
    status,
    headers: { 'content-type': 'application/json', ...leg.headers },
    chunks: [bytes.subarray(0, middle), bytes.subarray(middle)],
    finish: 'end',
    delays: leg.delays ?? {},
  };
}

function toText(leg: Exclude<Leg, EventsLeg>, { binding, rpcId }: RecordedRequest): { readonly status: number; readonly text: string } {
  if ('status' in leg) return { status: leg.status, text: leg.body ?? '' };
  if ('error' in leg) {
    if (binding === 'rest') return { status: leg.error.httpStatus, text: encodeRestError(leg.error) };
    return { status: 200, text: encodeError(rpcId, leg.error) };
  }
  const json = JSON.stringify(leg.value);
  return { status: 200, text: binding === 'rest' ? json : encodeResult(rpcId, json) };
}

function toStream(leg: EventsLeg, request: RecordedRequest): StagedReply {
  const { events, finish = 'end', garbage = GARBAGE } = leg;
  const texts = events.map((event) => toFrame(event, request));
  if (finish === 'garbage') texts.push(garbage);
  return {
    status: 200,
    headers: { ...STREAM_HEADERS, ...leg.headers },
    chunks: texts.map(encode),
    finish: finish === 'garbage' ? 'end' : finish,
    delays: leg.delays ?? {},
  };
}

function toFrame(event: ScriptedEvent, { binding, rpcId }: RecordedRequest): string {
  if (typeof event === 'string') return event;
  if ('error' in event) return errorFrame(binding === 'rest' ? encodeRestError(event.error) : encodeError(rpcId, event.error));
  const { seq, response } = 'seq' in event ? event : { seq: undefined, response: event };
  const wrap = binding === 'rest' ? BARE_FRAME : resultFrame(rpcId);
  return `${wrap.head}${frameEnd({ json: JSON.stringify(response), ...(seq !== undefined && { seq }) }, wrap)}`;
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function usualCard(url: string, log: boolean) {
  const interfaces = ['JSONRPC', 'HTTP+JSON'].map((protocolBinding) => ({ url, protocolBinding, protocolVersion: '1.0' }));
  const logExtension = log ? { logExtension: { lastEventId: true, idempotencyKey: true } } : undefined;
  return buildCard(
    { name: 'Scripted peer' },
    { interfaces, streaming: true, pushNotifications: false, extendedAgentCard: false, ...logExtension },
  );
}
