/** Calls agents of A2A 0.3 and of the plain dialect. Loaded at the first call that needs it. */
import { isV03Method } from '../../compat/v03/index.js';
import { A2AError, isA2AError } from '../../protocol/errors.js';
import { isMethodName } from '../../protocol/methods.js';
import type { ClientReply, EventStream } from '../call.js';
import { isUnexecuted } from '../refusal.js';
import type { TransportTools } from '../transports/transport.js';
import { inVersion, type RefusesVersion, type SendVersioned, type SpokenVersion, type VersionedCall } from '../versioned-call.js';
import { PLAIN, REST, RPC } from './transports.js';

/** Sends a call in 0.3, or in the plain dialect. Rejects before anything is sent if 0.3 cannot carry the call. */
export async function sendOld({ call, at, version }: VersionedCall, tools: TransportTools): Promise<ClientReply> {
  const { method, peer, params } = call;
  const name = version === 'plain' ? 'the plain dialect' : 'A2A 0.3';
  if (isMethodName(method) && !isV03Method(method))
    throw unsupported(`${name} has no ${method}, and ${peer.name} is called in this version`);
  // Without its tenant, the call would reach another one.
  if (('tenant' in params && params.tenant) || at.tenant) {
    throw unsupported(`${name} has no tenants, and ${peer.name} is called in this version: omit the tenant`);
  }
  if (version === 'plain') return PLAIN.send(call, at, { ...tools, plainCodes: true });
  return (at.protocolBinding.toLowerCase() === 'jsonrpc' ? RPC : REST).send(call, inVersion(at, '0.3'), tools);
}

function unsupported(text: string): A2AError {
  return new A2AError('UNSUPPORTED_OPERATION', text);
}

interface OtherVersion {
  /** With which the agent refused the call. */
  readonly error: A2AError;
  /** Remembers the version that the agent speaks. */
  learn(version: SpokenVersion): void;
  readonly send: SendVersioned;
  readonly refuses: RefusesVersion;
}

/** Sends a refused call in the other version and remembers the version if the agent understands it. */
export async function sendInOther(refused: VersionedCall, { error, learn, send, refuses }: OtherVersion): Promise<ClientReply> {
  const version = refused.version === '1.0' ? '0.3' : '1.0';
  const other: VersionedCall = { ...refused, version };
  try {
    const reply = await send(other);
    if (reply.kind === 'stream') return { ...reply, events: tellingOfFirst(reply.events, () => learn(version)) };
    learn(version);
    return reply;
  } catch (again) {
    if (!isA2AError(again) || again.peer === undefined) throw again;
    // The first error is that of an agent that knows neither version; after it, another interface may be tried.
    if (refuses(other, again) && (await isUnexecuted(other, again, send))) throw error;
    // Only an agent that understood the call knows that the task does not exist; other errors may come from a proxy.
    if (again.reason === 'TASK_NOT_FOUND') learn(version);
    throw again;
  }
}

/** The same stream. Its first event proves that the agent understood the call: a stream may also begin with an error. */
function tellingOfFirst(events: EventStream, tell: () => void): EventStream {
  return {
    get retryMs() {
      return events.retryMs;
    },
    get skipped() {
      return events.skipped;
    },
    close: () => events.close(),
    async *[Symbol.asyncIterator]() {
      let isFirst = true;
      for await (const event of events) {
        if (isFirst) tell();
        isFirst = false;
        yield event;
      }
    },
  };
}
