/** The script of a peer: its answers per operation. */
import type { Clock } from '../../protocol/clock.js';
import type { A2AError } from '../../protocol/errors.js';
import type { AgentCard, StreamResponse } from '../../protocol/types.js';
import type { RecordedOperation, RecordedRequest } from '../recorded-request.js';

/** The duration of each phase of an answer. Default: 0. */
export interface PhaseDelays {
  /** From the request to the headers. */
  readonly headersMs?: number;
  /** From the headers to the first byte of the body. */
  readonly firstByteMs?: number;
  /** Between two chunks of the body: the events of a stream, or the two halves of any other body. */
  readonly chunkMs?: number;
}

/** One event of a stream: without seq, with seq, an error event of the peer, or raw text (`: heartbeat\n\n`). */
export type ScriptedEvent =
  | StreamResponse
  | { readonly seq: number; readonly response: StreamResponse }
  | { readonly error: A2AError }
  | string;

interface LegFields {
  readonly headers?: Readonly<Record<string, string>>;
  readonly delays?: PhaseDelays;
  /** The connection drops after this many bytes of the body. */
  readonly cutAfterBytes?: number;
}

/** One scripted answer. It is encoded in the binding of the request. */
export type ScriptedResponse =
  /** Only a status, as from a gateway. Use the object form to add headers such as `Retry-After`. */
  | number
  | (LegFields & { readonly status: number; readonly body?: string })
  | (LegFields & { readonly value: unknown })
  | (LegFields & { readonly error: A2AError })
  /**
   * A stream, and how it ends: properly ('end', the default), with a dropped or silent connection, or in invalid bytes. `garbage` are those
   * bytes.
   */
  | (LegFields & {
      readonly events: readonly ScriptedEvent[];
      readonly finish?: 'end' | 'drop' | 'stall' | 'garbage';
      readonly garbage?: string;
    })
  /** No answer: the connection drops, or stays silent. */
  | 'drop'
  | 'stall';

/** The answers of one operation, one per request; the last one repeats. A function decides by the request. */
export type ScriptedResponses = ScriptedResponse | readonly ScriptedResponse[] | ((request: RecordedRequest) => ScriptedResponse);

/** The scripted answers of a faulty peer, by operation. */
export type FaultScript = { readonly [O in RecordedOperation]?: ScriptedResponses };

/** Options of `faultServer` and `faultFetch`: the script, and the card of the peer. */
export interface FaultPeerOptions {
  /** An operation without an answer gets METHOD_NOT_FOUND. The card is always served. */
  readonly script: FaultScript;
  /** Members of the card that override the default: both bindings, streaming, no extensions. */
  readonly card?: Partial<AgentCard>;
  /** Whether the card offers `Last-Event-ID` and `Idempotency-Key`. Default false, like most peers. */
  readonly log?: boolean;
  /** How long a new connection waits before the server reads from it. Default 0. */
  readonly acceptMs?: number;
  /** Default: the system clock. */
  readonly clock?: Clock;
}
