/** A binding as the client sees it. */
import type { AgentInterface } from '../../protocol/types.js';
import type { ClientCall, ClientReply } from '../call.js';
import type { Exchange } from './exchange.js';

/** What a client gives its transports to send a call. */
export interface TransportTools {
  readonly exchange: Exchange;
  readonly maxResponseBytes: number;
  /** The peer uses the error codes of the plain dialect. Default: only if the data of an error shows it. */
  readonly plainCodes?: boolean | undefined;
  /** Milliseconds since the epoch, to read a `Retry-After` date. Absent: such dates are ignored. */
  readonly now?: (() => number) | undefined;
  /** Skip unreadable events instead of treating the stream as broken. `skipped` of the stream counts them. Default false. */
  readonly skipBadFrames?: boolean | undefined;
}

/** Sends calls over one binding. Implement it to support another binding, and pass it as `transports` to `createClient`. */
export interface Transport {
  /** As cards spell it. Compared case-insensitively. */
  readonly binding: string;
  /** Rejects only with an A2AError. */
  send(call: ClientCall, at: AgentInterface, tools: TransportTools): Promise<ClientReply>;
}
