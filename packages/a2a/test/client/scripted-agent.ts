/** A scripted agent: its card comes from a scripted exchange, its operations from a scripted transport. */
import type { ClientCall, ClientReply, StreamedEvent } from '../../src/client/call.js';
import type { ClientOptions } from '../../src/client/options.js';
import type { Exchange, HttpRequest, HttpResponse } from '../../src/client/transports/exchange.js';
import type { Transport } from '../../src/client/transports/transport.js';
import type { AgentCard, AgentInterface, StreamResponse, Task } from '../../src/protocol/types.js';

export const CARD_URL = 'http://agent.test/.well-known/agent-card.json';

export function at(protocolBinding: string, url: string, more: Partial<AgentInterface> = {}): AgentInterface {
  return { url, protocolBinding, protocolVersion: '1.0', ...more };
}

export function cardWith(more: Partial<AgentCard> = {}): AgentCard {
  return {
    name: 'Echo',
    description: 'Says it again',
    version: '1.0.0',
    supportedInterfaces: [at('JSONRPC', 'http://agent.test/')],
    capabilities: {},
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
    ...more,
  };
}

export function taskWith(more: Partial<Task> = {}): Task {
  return { id: 't-1', contextId: 'c-1', status: { state: 'TASK_STATE_COMPLETED' }, ...more };
}

export interface Answered {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent as it is, any other value as JSON. */
  readonly body?: unknown;
}

function response({ status = 200, headers = {}, body = '' }: Answered): HttpResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    status,
    header: (name) => headers[name],
    text: async () => text,
    async *chunks() {
      yield new TextEncoder().encode(text);
    },
    discard() {},
  };
}

/** Returns the responses in order and repeats the last one; a function is called with the request. Records the requests. */
export function scriptedExchange(...answers: (Answered | Error | ((request: HttpRequest) => Promise<HttpResponse>))[]) {
  const requests: HttpRequest[] = [];
  const exchange: Exchange = async (request) => {
    const answer = answers[Math.min(requests.length, answers.length - 1)] ?? { status: 404 };
    requests.push(request);
    if (typeof answer === 'function') return answer(request);
    if (answer instanceof Error) throw answer;
    return response(answer);
  };
  return Object.assign(exchange, { requests });
}

type Reaction = (call: ClientCall, at: AgentInterface) => unknown;

/** A transport that returns scripted results: a value, a list for a stream, or an error to throw. Records the calls. */
export function scriptedTransport(react: Reaction, binding = 'JSONRPC') {
  const calls: (ClientCall & { readonly at: AgentInterface })[] = [];
  const transport: Transport = {
    binding,
    async send(call, place) {
      calls.push({ ...call, at: place });
      const answer = await react(call, place);
      if (answer instanceof Error) throw answer;
      return toReply(answer);
    },
  };
  return { ...transport, calls };
}

function toReply(answer: unknown): ClientReply {
  // The test provides the result type of the method.
  if (!Array.isArray(answer)) return { kind: 'value', value: answer as never, extensions: [] };
  return { kind: 'stream', events: streamOf(answer), extensions: [] };
}

/** The stream breaks at an error in the list. */
function streamOf(events: readonly (StreamResponse | Error)[]) {
  let closed = false;
  return {
    retryMs: undefined,
    get closed() {
      return closed;
    },
    close() {
      closed = true;
    },
    async *[Symbol.asyncIterator](): AsyncGenerator<StreamedEvent> {
      try {
        for (const event of events) {
          if (event instanceof Error) throw event;
          yield { seq: undefined, response: event };
        }
      } finally {
        closed = true;
      }
    },
  };
}

export interface ScriptedAgent {
  readonly card?: AgentCard;
  readonly react?: Reaction;
  readonly options?: ClientOptions;
}

/** Options for a client of a scripted agent, and the recorded requests. */
export function scriptedAgent({ card = cardWith(), react = () => ({ task: taskWith() }), options = {} }: ScriptedAgent = {}) {
  const exchange = scriptedExchange({ headers: { 'cache-control': 'max-age=300' }, body: card });
  const transport = scriptedTransport(react);
  return { options: { retry: false, exchange, transports: [transport], ...options } as ClientOptions, exchange, transport };
}
