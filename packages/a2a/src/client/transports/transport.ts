/** A binding as the client sees it. */
import type { AgentInterface } from '../../protocol/types.js';
import type { ClientCall, ClientReply } from '../call.js';
import type { Exchange } from './exchange.js';

export interface TransportTools {
  readonly exchange: Exchange;
  readonly maxResponseBytes: number;
  readonly legacyCodes: 'stacka2a' | undefined;
}

export interface Transport {
  /** As cards write it; compared without regard to case. */
  readonly binding: string;
  /** Rejects with an A2AError, never with anything else. */
  send(call: ClientCall, at: AgentInterface, tools: TransportTools): Promise<ClientReply>;
}
