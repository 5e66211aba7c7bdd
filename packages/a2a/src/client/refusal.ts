/** Whether an agent refused a call before it executed anything, so that the call may be sent elsewhere. */
import { abortedBy } from '../platform/until-aborted.js';
import { type A2AError, isA2AError } from '../protocol/errors.js';
import type { ClientCall } from './call.js';
import { canBeRepeated } from './resilience/classify.js';
import type { SendVersioned, VersionedCall } from './versioned-call.js';

/**
 * "Method not found" and "version not supported" can also come from inside an executor, for example of an agent that relays the call to
 * another one. The message would then be executed twice. So the agent is asked for a task that does not exist: an agent that does not know
 * the version refuses this, too. Calls that may be repeated need no proof.
 */
export async function isUnexecuted(refused: VersionedCall, error: A2AError, send: SendVersioned): Promise<boolean> {
  const { call } = refused;
  if (canBeRepeated(call)) return true;
  if (error.chain.length > 0) return false; // of an agent behind this one
  const { tenant } = call.params as { readonly tenant?: string }; // the request for the card has none, and can be repeated
  const probe: ClientCall<'GetTask'> = { ...call, method: 'GetTask', params: { id: call.requestId, ...(tenant && { tenant }) } };
  try {
    await send({ ...refused, call: probe });
    return false;
  } catch (thrown) {
    if (call.signal?.aborted) throw abortedBy(call.signal);
    return isA2AError(thrown) && thrown.peer !== undefined && REFUSALS.has(thrown.reason);
  }
}

const REFUSALS: ReadonlySet<string> = new Set(['METHOD_NOT_FOUND', 'VERSION_NOT_SUPPORTED']);
