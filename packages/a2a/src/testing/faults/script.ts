/** What a scripted peer answers, operation by operation. */
import type { Clock } from '../../protocol/clock.js';
import type { A2AError } from '../../protocol/errors.js';
import type { AgentCard, StreamResponse } from '../../protocol/types.js';
import type { RecordedOperation, RecordedRequest } from '../recorded-request.js';

/** How long each phase of an answer takes. Default: no time. */
export interface PhaseDelays {
  /** From the request to the headers. */
  readonly headersMs?: number;
  /** From the headers to the first byte of the body. */
  readonly firstByteMs?: number;
  /** Between two pieces of the body: the events of a stream, or the halves of anything else. */
  readonly chunkMs?: number;
}

/** One event of a stream: bare, with its number, an error of the peer in band, or text that goes out as it is (`: heartbeat\n\n`). */
export type ScriptedEvent =
  | StreamResponse
  | { readonly seq: number; readonly response: StreamResponse }
  | { readonly error: A2AError }
  | string;

interface LegFields {
  readonly headers?: Readonly<Record<string, string>>;
  readonly delays?: PhaseDelays;
  /** The connection drops behind so many bytes of the body. */
  readonly cutAfterBytes?: number;
}

/** One answer. It is written in the binding that was asked in. */
export type FaultLeg =
  /** A bare status, as a gateway would give it; with `headers` for `Retry-After` and the like. */
  | number
  | (LegFields & { readonly status: number; readonly body?: string })
  | (LegFields & { readonly value: unknown })
  | (LegFields & { readonly error: A2AError })
  /**
   * A stream, and how it ends: properly (the default), by a connection that drops or falls silent, or in bytes that mean nothing.
   * `garbage` are those bytes.
   */
  | (LegFields & {
      readonly events: readonly ScriptedEvent[];
      readonly finish?: 'end' | 'drop' | 'stall' | 'garbage';
      readonly garbage?: string;
    })
  /** No answer at all: the connection drops, or nothing ever comes. */
  | 'drop'
  | 'stall';

/** The legs of one operation, one per request; the last is played again and again. A function decides by the request. */
export type FaultLegs = FaultLeg | readonly FaultLeg[] | ((request: RecordedRequest) => FaultLeg);

export type FaultScript = { readonly [O in RecordedOperation]?: FaultLegs };

export interface FaultPeerOptions {
  /** Operations without a leg answer METHOD_NOT_FOUND; the card is served in any case. */
  readonly script: FaultScript;
  /** Members of the card that differ from the usual one: both bindings, streaming, no extensions. */
  readonly card?: Partial<AgentCard>;
  /** Whether the card offers `Last-Event-ID` and `Idempotency-Key`. Default false, like most peers. */
  readonly log?: boolean;
  /** How long a new connection waits until somebody reads what it sends. Default 0. */
  readonly acceptMs?: number;
  /** Default: the time of the machine. */
  readonly clock?: Clock;
}
