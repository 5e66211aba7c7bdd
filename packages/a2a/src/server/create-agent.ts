/** Creates an agent from its options. Hosts serve it. */

import { LateTimers } from '../platform/late-timers.js';
import type { ErrorContext } from '../platform/logger.js';
import { buildCard } from '../protocol/agent-card.js';
import { type A2AError, toA2AError } from '../protocol/errors.js';
import type { AgentCard } from '../protocol/types.js';
import { type Agent, type CloseOptions, checkClose, type Interfaces } from './agent.js';
import { checkAgentOptions } from './check-agent-options.js';
import { ShareCounter } from './limits/share-counter.js';
import { Committer } from './log/committer.js';
import { GONE, Hub } from './log/hub.js';
import { TaskLog } from './log/task-log.js';
import { Lease } from './node/lease.js';
import { nodeClock } from './node/node-clock.js';
import { Reread } from './node/reread.js';
import { steady } from './node/steady-store.js';
import { TaskDeletion } from './node/task-deletion.js';
import { Upkeep } from './node/upkeep.js';
import { MailPlaces } from './operations/mail-places.js';
import { Requests } from './operations/requests.js';
import type { Runtime } from './operations/runtime.js';
import { type AgentOptions, resolveOptions, type Settings } from './options.js';
import { createPipeline } from './pipeline.js';
import { ActiveTasks } from './run/active-tasks.js';

const DRAIN_MS = 30_000;

/**
 * Creates an agent from your `execute` function. Serve it with `listen` or another host. Throws INVALID_PARAMS at once when the options are
 * wrong.
 *
 * @example
 * ```ts
 * import { listen } from '@parley/a2a/node';
 * import { createAgent } from '@parley/a2a/server';
 *
 * const agent = createAgent({
 *   name: 'Greeter',
 *   description: 'Greets the caller.',
 *   execute: async (context) => `Hello, ${context.text}!`,
 *   onError: (error, where) => console.error(error.reason, where, error.cause),
 * });
 * await listen(agent);
 * ```
 */
export function createAgent(options: AgentOptions): Agent {
  checkAgentOptions(options);
  const resolved = resolveOptions(options);
  const clock = nodeClock(resolved.clock);
  const settings: Settings = { ...resolved, clock };
  const { bus, node, leaseMs, stallMs, logger } = settings;
  const hub = new Hub(new ShareCounter({ total: settings.maxReaders, perCaller: settings.maxReadersPerCaller }));
  const report = (error: A2AError, where: ErrorContext): void => reportError(settings, error, where);
  const store = steady(settings.store, report);
  const onBroken = (cause: unknown): void => report(toA2AError(cause), {});
  const committer = new Committer({ store, bus, clock, onBroken });
  // After a pause another node may own our tasks: bypass the in-memory copy until the lease is renewed.
  const log = new TaskLog(store, hub, (ref) => (store.isRemote && !lease.isHeld ? undefined : active.writerOf(ref)));
  const timers = new LateTimers(clock);
  const lease = new Lease({ node, leaseMs, stallMs, store, clock, logger, report });
  const active: ActiveTasks = new ActiveTasks({ settings, log, committer, lease, timers, report });
  const upkeep = new Upkeep({ settings, clock, store, lease, active, report });
  const reread = new Reread({ settings, store, hub, active });
  const stopListening = bus.listen((moves) => {
    for (const { ref, seq } of moves) {
      active.hear(ref, seq);
      if (seq === GONE) {
        log.forget(ref);
        void reread.check(ref);
      } else hub.moved(ref, seq);
    }
  }, reread.onHearing);
  const cards = cardsOf(settings);
  const requests = new Requests({ store, clock, lease, node });
  const runtime: Runtime = {
    settings,
    log,
    active,
    lease,
    timers,
    requests,
    mail: new MailPlaces(active, settings.maxWaitingMessages),
    calls: new ShareCounter({ total: settings.maxOpenCalls, perCaller: settings.maxOpenCallsPerCaller }),
    card: cards({ url: 'http://localhost', bindings: ['JSONRPC'] }),
  };
  let closing: Promise<void> | undefined;
  const close = async ({ drainMs = DRAIN_MS, lameDuckMs = 0 }: CloseOptions): Promise<void> => {
    if (lameDuckMs > 0) await new Promise<void>((resume) => clock.after(lameDuckMs, resume));
    hub.shutdown();
    await active.close(drainMs);
    hub.close(); // ends streams that were opened during the drain
    reread.stop();
    await upkeep.stop();
    await lease.end().catch(() => {}); // already reported; the lease expires by itself
    stopListening();
    await bus.close();
    await store.close();
  };
  upkeep.start();
  reread.start();
  lease.start({
    onBeat: () => upkeep.doChores(),
    onReturn: () => reread.look(),
    onSilence: (error) => active.giveUp(error),
    onTaken: () => active.disown(),
  });
  return {
    settings,
    tasks: new TaskDeletion({ store, log, active, hub, bus, clock }),
    get readiness() {
      if (closing !== undefined) return 'closing';
      return lease.readiness === 'ready' && store.canWrite?.() === false ? 'unavailable' : lease.readiness;
    },
    cardAt: cards,
    ...createPipeline(runtime, report),
    report,
    close(how = {}) {
      checkClose(how);
      closing ??= close(how);
      return closing;
    },
  };
}

function cardsOf(settings: Settings): (at: Interfaces) => AgentCard {
  const { replayHours } = settings.store;
  const streams = settings.streaming && settings.card.capabilities?.streaming !== false;
  const replay = { lastEventId: true, ...(replayHours !== undefined && { replayHours }) };
  const logExtension = { ...(streams && replay), idempotencyKey: true, maxBodyBytes: settings.maxBodyBytes };
  return ({ url, bindings }) =>
    buildCard(settings.card, {
      interfaces: bindings.map((protocolBinding) => ({ url, protocolBinding, protocolVersion: '1.0' })),
      streaming: settings.streaming,
      pushNotifications: false,
      extendedAgentCard: settings.extendedCard !== undefined,
      logExtension,
    });
}

/**
 * Sends an error that no caller receives in full to the log and to `onError`. An error that `onError` throws is logged and goes no further.
 */
function reportError({ logger, onError }: Settings, error: A2AError, where: ErrorContext): void {
  const log = (cause: unknown, text: string): void => logger.error({ ...where, reason: error.reason, cause }, text);
  log(error.cause, error.message);
  try {
    onError?.(error, where);
  } catch (cause) {
    log(cause, 'onError threw');
  }
}
