/** A binding as the client sees it. */
import type { AgentInterface } from '../../protocol/types.js';
import type { ClientCall, ClientReply } from '../call.js';
import type { Exchange } from './exchange.js';

export interface TransportTools {
  readonly exchange: Exchange;
  readonly maxResponseBytes: number;
  readonly legacyCodes: 'stacka2a' | undefined;
  /** Milliseconds since the epoch, to read a `Retry-After` that is a date. Absent: such dates are not read. */
  readonly now?: (() => number) | undefined;
  /** Passes over events that can not be read instead of taking the stream for broken; `skipped` of the stream counts them. Default false. */
  readonly skipBadFrames?: boolean | undefined;
}

export interface Transport {
  /** As cards write it; compared without regard to case. */
  readonly binding: string;
  /** Rejects with an A2AError, never with anything else. */
  send(call: ClientCall, at: AgentInterface, tools: TransportTools): Promise<ClientReply>;
}
