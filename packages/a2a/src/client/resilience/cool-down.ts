/** After "too many requests", holds all calls to that server until the time that it named. */
import { originOf } from '../../platform/origin.js';
import { systemClock } from '../../platform/system-clock.js';
import { A2AError, toA2AError } from '../../protocol/errors.js';
import type { ClientCall, ClientInterceptor, Send } from '../call.js';
import { checkNumber } from './check-number.js';
import { sleep } from './sleep.js';
import type { ResilienceTools } from './tools.js';

/** Options of `createCoolDowns`: the longest wait that a server may ask for. */
export interface CoolDownOptions {
  /** Upper limit of every wait. Default 30,000. */
  readonly maxDelayMs?: number;
}

/** The cool-downs of all called servers. Clients with the same object wait together. */
export interface CoolDowns {
  readonly interceptor: ClientInterceptor;
}

/**
 * A 429 with `Retry-After`, or RATE_LIMITED with a time, holds every call to that origin until then. The waiting calls continue spread over
 * a tenth of the wait, so that they do not all arrive at once. A call whose budget ends earlier is refused immediately, without being sent.
 * Default: system clock and `Math.random`.
 */
export function createCoolDowns(options: CoolDownOptions = {}, given: Partial<Pick<ResilienceTools, 'clock' | 'random'>> = {}): CoolDowns {
  const tools = { clock: given.clock ?? systemClock, random: given.random ?? Math.random };
  const maxDelayMs = checkNumber('coolDown.maxDelayMs', options.maxDelayMs ?? 30_000);
  const state: CoolDownState = { tools, maxDelayMs, untils: new Map() };
  return { interceptor: (next) => (call) => sendAfterCoolDown(next, call, state) };
}

interface CoolDown {
  readonly until: number;
  readonly askedMs: number;
  readonly cause: A2AError;
}

interface CoolDownState {
  readonly tools: Pick<ResilienceTools, 'clock' | 'random'>;
  readonly maxDelayMs: number;
  readonly untils: Map<string, CoolDown>;
}

/** Not an async function, because every call passes through it and almost none has to wait. */
function sendAfterCoolDown(next: Send, call: ClientCall, state: CoolDownState): ReturnType<Send> {
  const sent = state.untils.size === 0 ? next(call) : waitForCoolDown(call, state).then(() => next(call));
  return sent.catch((thrown: unknown) => {
    const error = toA2AError(thrown);
    note(error, targetOf(call), state);
    throw error;
  });
}

async function waitForCoolDown(call: ClientCall, { tools, untils, maxDelayMs }: CoolDownState): Promise<void> {
  const origin = targetOf(call);
  const goAt = tools.clock.now() + maxDelayMs;
  for (let coolDown = untils.get(origin); coolDown !== undefined; coolDown = untils.get(origin)) {
    if (coolDown.until <= tools.clock.now()) untils.delete(origin);
    // No call waits longer than the cap, even if other calls are refused meanwhile or the clock is changed.
    const leftMs = Math.min(Math.min(coolDown.until, goAt) - tools.clock.now(), maxDelayMs);
    if (leftMs <= 0) break;
    await wait(call, coolDown, { leftMs: leftMs + tools.random() * 0.1 * coolDown.askedMs, tools });
  }
}

interface Wait {
  readonly leftMs: number;
  readonly tools: Pick<ResilienceTools, 'clock'>;
}

async function wait(call: ClientCall, { cause }: CoolDown, { leftMs, tools }: Wait): Promise<void> {
  if (leftMs >= call.budget.leftMs()) {
    throw new A2AError('RATE_LIMITED', 'The agent is rate limited: it asks to wait longer than this call may take', {
      retryAfterMs: leftMs,
      cause,
    });
  }
  if (call.activation) call.activation.awake();
  await sleep(tools.clock, leftMs, call.signal);
}

function note(error: A2AError, origin: string, { tools, maxDelayMs, untils }: CoolDownState): void {
  const { reason, retryAfterMs } = error;
  if (reason !== 'RATE_LIMITED' || retryAfterMs === undefined || !(retryAfterMs > 0)) return;
  const askedMs = Math.min(retryAfterMs, maxDelayMs);
  const until = tools.clock.now() + askedMs;
  if (until > (untils.get(origin)?.until ?? 0)) untils.set(origin, { until, askedMs, cause: error });
}

function targetOf({ method, params, peer }: ClientCall): string {
  return originOf(method === 'GetAgentCard' && 'url' in params ? params.url : (peer.interfaces[0]?.url ?? peer.key));
}
