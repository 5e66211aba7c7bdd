/** The agents of a coordinator: their clients, by name. */
import type { Clock } from '../../protocol/clock.js';
import { A2AError, toA2AError } from '../../protocol/errors.js';
import type { AgentCard } from '../../protocol/types.js';
import type { Client } from '../client.js';
import type { PlainEndpoint } from '../plain-endpoint.js';
import type { Breakers } from '../resilience/circuit-breaker.js';

/** A client, or the URL, the card or the plain endpoint of an agent. */
export type AgentSource = Client | string | AgentCard | PlainEndpoint;

export interface Team<N extends string> {
  readonly names: readonly N[];
  readonly breakers: Breakers;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Throws for an unknown name. */
  client(agent: N): Client;
  /** Registers background work. Only `close` waits for it. */
  settle(work: Promise<unknown>): void;
  close(): Promise<void>;
}

export interface TeamParts<N extends string> extends Pick<Team<N>, 'breakers' | 'clock' | 'newId'> {
  readonly agents: Readonly<Record<N, AgentSource>>;
  createClient(source: string | AgentCard | PlainEndpoint): Client;
  readonly onError: ((error: A2AError) => void) | undefined;
}

export function createTeam<N extends string>({ agents, createClient, onError, ...rest }: TeamParts<N>): Team<N> {
  const names = Object.keys(agents) as N[]; // the keys of this record are exactly N
  if (names.length === 0) throw new A2AError('INVALID_PARAMS', 'createCoordinator needs at least one agent');
  const own: Client[] = [];
  const clients = new Map<string, Client>();
  for (const name of names) {
    const source = agents[name];
    const client = isClient(source) ? source : createClient(source);
    if (client !== source) own.push(client);
    clients.set(name, client);
  }
  const underWay = new Set<Promise<unknown>>();
  return {
    ...rest,
    names,
    client(agent) {
      const client = clients.get(agent);
      if (client === undefined) throw new A2AError('INVALID_PARAMS', `unknown agent ${agent}; the agents are ${names.join(', ')}`);
      return client;
    },
    settle(work) {
      const settled: Promise<unknown> = work.catch((thrown) => onError?.(toA2AError(thrown))).finally(() => underWay.delete(settled));
      underWay.add(settled);
    },
    async close() {
      await Promise.all(underWay);
      await Promise.all(own.map((client) => client.close()));
    },
  };
}

const isClient = (source: AgentSource): source is Client => typeof source === 'object' && 'run' in source;
