/** Adds credentials to calls, and requests new ones once if the agent refuses them. */

import { originOf } from '../../platform/origin.js';
import { abortedBy, untilAborted } from '../../platform/until-aborted.js';
import { isTransportError } from '../../protocol/client-errors.js';
import { A2AError, isA2AError } from '../../protocol/errors.js';
import type { AgentInterface } from '../../protocol/types.js';
import type { ClientCall, ClientInterceptor, ClientReply, Peer, Send } from '../call.js';
import type { AuthRequest, Credentials } from './credentials.js';
import { type CheckedMaterial, checkMaterial, isEmpty, sameMaterial, withMaterial, withoutOverridden } from './material.js';
import { byOrigin, type OriginRule, originRule } from './origins.js';
import { ownHeaderIn } from './secret-headers.js';

/** Authenticates each call with its own credentials, or else with these. Headers that the caller sets are limited to the same origins. */
export function authenticate(credentials: Credentials | undefined, rule: OriginRule = originRule()): ClientInterceptor {
  return (next) => {
    const sendOwn = headerSender({ next, rule });
    return (call) => {
      const chosen = call.credentials === undefined ? credentials : call.credentials;
      if (chosen) return sendToTrusted(call, chosen, { next, rule });
      const header = ownHeaderIn(call.headers);
      return header === undefined ? next(call) : sendOwn(call, header);
    };
  };
}

interface Way {
  readonly next: Send;
  readonly rule: OriginRule;
}

/** Tries one origin after the other, because each origin gets its own material. Within an origin the transports choose the interface. */
async function sendToTrusted(call: ClientCall, credentials: Credentials, { next, rule }: Way): Promise<ClientReply> {
  const targets = targetsOf(call).filter(({ url }) => rule.trusts(call.peer.key, url));
  const last = targets.pop();
  if (last === undefined) throw untrusted(call);
  for (const { url, call: narrowed } of targets) {
    try {
      return await sendAuthenticated(narrowed, { next, url, credentials });
    } catch (error) {
      if (!mayGoElsewhere(error)) throw error;
    }
  }
  return sendAuthenticated(last.call, { next, url: last.url, credentials });
}

/**
 * Sends calls with headers of the caller. They are the same for every origin, so the transports choose among all trusted interfaces. These
 * are computed once per peer, because many clients have headers.
 */
function headerSender({ next, rule }: Way): (call: ClientCall, header: string) => Promise<ClientReply> {
  const known = new WeakMap<readonly AgentInterface[], readonly AgentInterface[]>();
  const trustedOf = ({ key, interfaces }: Peer): readonly AgentInterface[] => {
    const found = known.get(interfaces) ?? interfaces.filter(({ url }) => rule.trusts(key, url));
    known.set(interfaces, found);
    return found;
  };
  return (call, header) => {
    if (isCardCall(call)) return rule.trusts(call.peer.key, call.params.url) ? next(call) : Promise.reject(untrusted(call, header));
    const interfaces = trustedOf(call.peer);
    if (interfaces.length === 0) return Promise.reject(untrusted(call, header));
    return next(interfaces.length === call.peer.interfaces.length ? call : { ...call, peer: { ...call.peer, interfaces } });
  };
}

interface Target {
  readonly url: string;
  readonly call: ClientCall;
}

function targetsOf(call: ClientCall): Target[] {
  if (isCardCall(call)) return [{ url: call.params.url, call }];
  return byOrigin(call.peer.interfaces).map((interfaces) => ({
    url: interfaces[0].url,
    call: { ...call, peer: { ...call.peer, interfaces } },
  }));
}

function isCardCall(call: ClientCall): call is ClientCall<'GetAgentCard'> {
  return call.method === 'GetAgentCard';
}

/** Sends the call, and sends it once more with new material after a 401. This is safe because the refused request did no work. */
async function sendAuthenticated(
  call: ClientCall,
  { next, url, credentials }: { readonly next: Send; readonly url: string; readonly credentials: Credentials },
): Promise<ClientReply> {
  const request: AuthRequest = { url, card: call.peer.card, scopes: call.scopes, signal: call.signal };
  const material = await obtain(credentials, request);
  try {
    return await next(withMaterial(call, material));
  } catch (error) {
    if (!isRefusal(error) || call.budget.leftMs() <= 0) throw error;
    const renewed = await obtain(credentials, { ...request, refused: { material, challenge: error.challenge } });
    if (isEmpty(renewed) || sameMaterial(withoutOverridden(material, call), withoutOverridden(renewed, call))) throw error;
    return next(withMaterial(call, renewed));
  }
}

async function obtain(credentials: Credentials, request: AuthRequest): Promise<CheckedMaterial> {
  const { signal } = request;
  if (signal?.aborted) throw abortedBy(signal);
  try {
    const asked = (async () => credentials.get(request))();
    return checkMaterial(await untilAborted(asked, signal));
  } catch (error) {
    if (isA2AError(error)) throw error;
    throw new A2AError('AUTH_REQUIRED', `Credentials for ${originOf(request.url)} could not be obtained`, { cause: error });
  }
}

/**
 * True if this agent refused our credentials. An error with a chain is the refusal of another agent behind this one, after work was done.
 */
function isRefusal(error: unknown): error is A2AError {
  return isA2AError(error) && error.chain.length === 0 && (error.reason === 'AUTH_REQUIRED' || error.httpStatus === 401);
}

/** Same rule as between interfaces of one origin: nothing was sent, or the peer has another protocol version. */
function mayGoElsewhere(error: unknown): boolean {
  if (isTransportError(error)) return !error.sent;
  return isA2AError(error) && error.reason === 'VERSION_NOT_SUPPORTED';
}

function untrusted(call: ClientCall, header?: string): A2AError {
  const where = isCardCall(call) ? [call.params.url] : call.peer.interfaces.map(({ url }) => url);
  const origins = [...new Set(where.map(originOf))].join(', ') || 'nowhere';
  const [whose, without] = header === undefined ? ['The credentials are', 'credentials'] : [`The header ${header} is`, 'it'];
  return new A2AError(
    'INVALID_REQUEST',
    `${whose} for ${originOf(call.peer.key)}, but the call would go to ${origins}: add that origin to allowOrigins, or call without ${without}`,
  );
}
