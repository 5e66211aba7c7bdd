/** Puts credentials on calls, and asks for new ones once when they are refused. */

import { originOf } from '../../platform/origin.js';
import { abortedBy, untilAborted } from '../../platform/until-aborted.js';
import { isTransportError } from '../../protocol/client-errors.js';
import { A2AError, isA2AError } from '../../protocol/errors.js';
import type { ClientCall, ClientInterceptor, ClientReply, Send } from '../call.js';
import type { AuthRequest, Credentials } from './credentials.js';
import { type CheckedMaterial, checkMaterial, isEmpty, sameMaterial, withMaterial, withoutOverridden } from './material.js';
import { byOrigin, type OriginRule, originRule } from './origins.js';
import { secretHeaderIn } from './secret-headers.js';

export interface AuthenticateOptions {
  /** Origins that the agent's credentials may go to besides its own, such as `https://api.example.com`. */
  readonly trustedOrigins?: readonly string[] | undefined;
}

/** Authenticates each call with its own credentials or else with these. Headers that were set by hand are held to the same origins. */
export function authenticate(credentials: Credentials | undefined, options: AuthenticateOptions = {}): ClientInterceptor {
  const rule = originRule(options.trustedOrigins);
  return (next) => (call) => {
    const chosen = call.credentials === undefined ? credentials : call.credentials;
    if (chosen) return sendToTrusted(call, chosen, { next, rule });
    const secret = secretHeaderIn(call.headers, call.peer.card);
    return secret === undefined ? next(call) : sendSecret(call, secret, { next, rule });
  };
}

interface Way {
  readonly next: Send;
  readonly rule: OriginRule;
}

/** Tries one origin after the other, because each gets its own material; within an origin the transports choose. */
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

/** The caller's own header is the same for every origin, so the transports choose among all that are trusted. */
async function sendSecret(call: ClientCall, header: string, { next, rule }: Way): Promise<ClientReply> {
  const isTrusted = (url: string): boolean => rule.trusts(call.peer.key, url);
  if (isCardCall(call)) {
    if (!isTrusted(call.params.url)) throw untrusted(call, header);
    return next(call);
  }
  const interfaces = call.peer.interfaces.filter(({ url }) => isTrusted(url));
  if (interfaces.length === 0) throw untrusted(call, header);
  return next(interfaces.length === call.peer.interfaces.length ? call : { ...call, peer: { ...call.peer, interfaces } });
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

/** One try, and a second one with new material after a 401: nothing was done by the first. */
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
    throw new A2AError('AUTH_REQUIRED', `No credentials could be got for ${originOf(request.url)}`, { cause: error });
  }
}

/** The agent refuses us. What came through it from another agent is that one's refusal of the agent, after work was done. */
function isRefusal(error: unknown): error is A2AError {
  return isA2AError(error) && error.chain.length === 0 && (error.reason === 'AUTH_REQUIRED' || error.httpStatus === 401);
}

/** As between interfaces of one origin: nothing was sent, or the peer there speaks another version. */
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
    `${whose} for ${originOf(call.peer.key)}, and the call would go to ${origins}: name that origin in trustedOrigins, or call without ${without}`,
  );
}
