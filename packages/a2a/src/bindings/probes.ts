/** What those ask who start, stop and balance processes: does it live, and should calls be sent to it. */
import type { Agent } from '../server/agent.js';
import type { WireReply } from '../wire/http.js';
import type { OwnRoute } from './options.js';

const HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' };
const ALIVE: WireReply = { status: 200, headers: HEADERS, body: '{"status":"ok"}' };

/** A process that serves lives, whatever its store does: to start it again would mend nothing, and cut off what runs. */
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
