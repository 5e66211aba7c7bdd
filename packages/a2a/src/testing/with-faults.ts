import { createCut, type NetworkPlan } from './faults/network-fault.js';
import { connectionLost, connectionRefused, untilAborted } from './in-process.js';
import { type RecordedRequest, readRequest } from './recorded-request.js';
import type { TestFetch } from './test-fetch.js';

/** Wraps a `fetch` in a network that fails as planned: connections are refused; answers are lost, truncated, stalled or corrupted. */
export function withFaults(through: typeof fetch, plan: NetworkPlan): TestFetch {
  const requests: RecordedRequest[] = [];
  const faulty: typeof fetch = async (input, init) => {
    const sent = await readRequest(input, init);
    const fault = plan(sent.record, requests.push(sent.record) - 1);
    if (fault?.do === 'refuse') throw connectionRefused(sent.url.origin);
    if (fault?.do === 'answer') return new Response(fault.body ?? '', { status: fault.status, headers: { ...fault.headers } });
    const response = await through(...sent.again);
    if (fault === undefined) return response;
    if (fault.do !== 'lose') return untilAborted(response, sent.signal, createCut(fault));
    await response.body?.cancel();
    throw connectionLost();
  };
  return Object.assign(faulty, { requests });
}
