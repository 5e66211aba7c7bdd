/** Agents of A2A 0.3: chooses the version of each call, and loads the code for 0.3 when the first call needs it. */
import { untilAborted } from '../platform/until-aborted.js';
import { type A2AError, A2ATransportError } from '../protocol/errors.js';
import type { AgentInterface } from '../protocol/types.js';
import type { ClientReply } from './call.js';
import type { TransportTools } from './transports/transport.js';
import {
  type CompatMode,
  inVersion,
  isHttp,
  isOfV03,
  type RefusesVersion,
  type SendVersioned,
  type SpokenVersion,
  type VersionedCall,
} from './versioned-call.js';

export interface Compat {
  /** The version in which a call goes to this interface. */
  versionOf(at: AgentInterface): SpokenVersion;
  readonly send: SendVersioned;
  readonly refuses: RefusesVersion;
  /** Sends a refused call once more, in the other version. Only after a proof that nothing was executed. */
  sendAgain(call: VersionedCall, error: A2AError): Promise<ClientReply>;
}

/** The version that an agent speaks, if it is not the one on its card. */
interface Learned {
  /** On the card at that time: another card is another agent. */
  readonly declared: string | undefined;
  readonly version: SpokenVersion;
  readonly until: number;
}

/** As long as a card without caching headers: an agent that was upgraded, or a proxy that answered in its place, must not count for ever. */
const LEARNED_MS = 5 * 60_000;

type Load = () => Promise<typeof import('./v03/index.js')>;
const load: Load = () => import('./v03/index.js');

export function createCompat(tools: TransportTools, mode: CompatMode): Compat {
  const learned = new Map<string, Learned>();
  const keyOf = ({ protocolBinding, url }: AgentInterface): string => `${protocolBinding} ${url}`;
  const now = (): number => tools.now?.() ?? 0;
  const refuses: RefusesVersion = (call, error) => mode === true && refusesVersion(call, error);
  const send: SendVersioned = (call) => {
    if (call.version === '1.0') return call.transport.send(call.call, inVersion(call.at, '1.0'), tools);
    return untilAborted(load().catch(unloadable), call.call.signal).then(({ sendOld }) => sendOld(call, tools));
  };
  return {
    versionOf(at) {
      if (typeof mode === 'string') return mode;
      if (!mode || !isHttp(at)) return '1.0';
      const known = learned.get(keyOf(at));
      if (known !== undefined && known.declared === at.protocolVersion && now() < known.until) return known.version;
      return isOfV03(at) ? '0.3' : '1.0';
    },
    send,
    refuses,
    async sendAgain(call, error) {
      const { sendInOther } = await load().catch(() => Promise.reject(error));
      const { at } = call;
      const learn = (version: SpokenVersion): void =>
        void learned.set(keyOf(at), { declared: at.protocolVersion, version, until: now() + LEARNED_MS });
      return sendInOther(call, { error, learn, send, refuses });
    },
  };
}

function unloadable(cause: unknown): never {
  throw new A2ATransportError('network', 'The code for A2A 0.3 could not be loaded', { sent: false, cause });
}

/** "Method not found" means another version only for operations that the agent must have. */
function refusesVersion({ call, at }: VersionedCall, { reason, peer: sender }: A2AError): boolean {
  const { method, peer, params } = call;
  // Not an error of this client; and 0.3 has no tenants, so the call would reach another one.
  if (sender === undefined || !isHttp(at) || ('tenant' in params && params.tenant) || at.tenant) return false;
  if (reason === 'VERSION_NOT_SUPPORTED') return !peer.interfaces.some((other) => isTwin(other, at)); // it is tried next anyway
  if (reason !== 'METHOD_NOT_FOUND') return false;
  if (method === 'SendStreamingMessage' || method === 'SubscribeToTask') return peer.card?.capabilities.streaming === true;
  return method === 'SendMessage' || method === 'GetTask' || method === 'CancelTask';
}

/** The same interface in the other version. */
function isTwin(other: AgentInterface, at: AgentInterface): boolean {
  return other.url === at.url && other.protocolBinding === at.protocolBinding && isOfV03(other) !== isOfV03(at);
}
