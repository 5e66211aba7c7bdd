/** Probes for process managers and load balancers: is the process alive, and should it receive calls. */
import type { Agent } from '../server/agent.js';
import type { WireReply } from '../wire/http.js';
import type { OwnRoute } from './options.js';

const HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' };
const ALIVE: WireReply = { status: 200, headers: HEADERS, body: '{"status":"ok"}' };

/** A process that answers is alive, even if its store is down: a restart would not help and would stop running tasks. */
export function probesOf(agent: Agent): readonly OwnRoute[] {
  return [
    { path: '/-/health', handle: () => ALIVE },
    { path: '/-/live', handle: () => ALIVE },
    { path: '/-/ready', handle: () => readyReply(agent) },
  ];
}

function readyReply({ readiness }: Agent): WireReply {
  const body = JSON.stringify({ status: readiness });
  if (readiness === 'ready') return { status: 200, headers: HEADERS, body };
  return { status: 503, headers: { ...HEADERS, 'retry-after': '1' }, body };
}
