import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Heartbeat, TaskStore } from '../../stores/store.js';
import { check, NODE, type StoreCheck } from './samples.js';

/** Long enough to start a thread on a busy machine. */
const LEASE_MS = 10_000;
const BEAT_MS = 20;
const OWN = 'first';

/** Starts the renewals of a lease that this process has just acquired; undefined if the store has none. */
async function startRenewals(store: TaskStore): Promise<Heartbeat | undefined> {
  assert.equal(await store.beat(NODE, OWN, (await store.now()) + LEASE_MS), 'ok');
  const onFailure = (cause: unknown): void => assert.fail(`the renewals ended: ${String(cause)}`);
  const options = { node: NODE, incarnation: OWN, leaseMs: LEASE_MS, beatMs: BEAT_MS, stallMs: LEASE_MS, onFailure };
  const heartbeat = store.startHeartbeat?.(options);
  assert.equal(heartbeat?.agoMs ?? Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
  return heartbeat;
}

/** Resolves after a renewal that is sent from now on. */
async function renewal(heartbeat: Heartbeat): Promise<void> {
  const from = performance.now();
  while (heartbeat.agoMs > performance.now() - from) await sleep(BEAT_MS / 2);
}

/** Renewals from another thread. A store without them passes. */
export const heartbeatChecks: readonly StoreCheck[] = [
  check('D59: a heartbeat renews the lease that the node holds, and counts from before the renewal was sent', async (store) => {
    const heartbeat = await startRenewals(store);
    if (heartbeat === undefined) return;
    heartbeat.renewed(0);
    for (let n = 0; n < 2; n += 1) await renewal(heartbeat);
    assert.ok(heartbeat.agoMs >= 0);
    assert.equal(await store.beat(NODE, 'second', (await store.now()) + LEASE_MS), 'taken');
    await heartbeat.stop();
    const { agoMs } = heartbeat;
    await sleep(3 * BEAT_MS);
    assert.ok(heartbeat.agoMs > agoMs, 'a renewal was sent after the stop');
  }),

  check('D59: a heartbeat does not renew a lease that has ended, whether by the clock of the store or of the node', async (store) => {
    const heartbeat = await startRenewals(store);
    if (heartbeat === undefined) return;
    heartbeat.renewed(LEASE_MS);
    await sleep(5 * BEAT_MS);
    assert.equal(heartbeat.agoMs, Number.POSITIVE_INFINITY, 'the node has not held the lease any more');
    heartbeat.renewed(0);
    await renewal(heartbeat);
    await store.beat(NODE, OWN, await store.now());
    await sleep(3 * BEAT_MS); // the answer of a renewal in flight
    const { agoMs } = heartbeat;
    await sleep(3 * BEAT_MS);
    assert.ok(heartbeat.agoMs > agoMs, 'an ended lease was renewed');
    assert.equal(await store.beat(NODE, 'second', (await store.now()) + LEASE_MS), 'ok');
    await heartbeat.stop();
  }),
];
