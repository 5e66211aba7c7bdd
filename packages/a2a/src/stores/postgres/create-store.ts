/** Assembles the store from its parts. */
import type { Pool } from 'pg';
import type { Clock } from '../../protocol/clock.js';
import type { Heartbeat, HeartbeatOptions, TaskStore } from '../store.js';
import { prepareCommit } from './commit.js';
import { ConcurrencyLimit } from './concurrency-limit.js';
import { type ConnectionSettings, Connections, driverPath, threadConfig } from './connections.js';
import { prepareConversation } from './conversation.js';
import { Database } from './database.js';
import { prepareErase } from './erase.js';
import { startHeartbeat } from './heartbeat.js';
import { prepareInbox, preparePost } from './inbox.js';
import { Leases } from './leases.js';
import { prepareList } from './list.js';
import { type Now, prepareBeat, prepareClaim, prepareOrphans, prepareWaitingSince } from './nodes.js';
import { prepareEntryAt, prepareLoad, prepareMessages, preparePositions, prepareReadAfter } from './read.js';
import { prepareRequests } from './requests.js';
import { prepareSchema, quoteSchema } from './schema.js';
import { prepareSweep } from './sweep.js';

/** Of the connections. Lists of one caller would otherwise hold all of them, and the commits of others would wait. */
const SHARE_OF_LISTS = 0.3;

export interface StoreSettings extends ConnectionSettings {
  readonly schema: string;
  readonly lingerMs: number;
  readonly replayHours: number;
  readonly patienceMs: number;
  readonly clock: Clock | undefined;
}

export function createStore(database: string | Pool, settings: StoreSettings): TaskStore {
  const { lingerMs, replayHours, clock, schema, patienceMs, queryTimeoutMs, connections } = settings;
  const s = quoteSchema(schema);
  const now: Now = () => (clock === undefined ? null : Math.floor(clock.now()));
  const leases = new Leases();
  const reach = (connections: Connections): Database =>
    new Database({ connections, patienceMs, queryTimeoutMs, schema: prepareSchema(schema) });
  const db = reach(Connections.many(database, connections));
  // Heartbeats use their own connection: a busy node must not look dead, because the takeover of its tasks would overload the other nodes
  // too.
  const pulse = reach(Connections.one(database, settings));

  const heartbeats: Heartbeat[] = [];
  const start = (options: HeartbeatOptions): Heartbeat => {
    const heartbeat = startHeartbeat({ driver: driverPath(), config: threadConfig(database), schema: s, queryTimeoutMs }, options);
    heartbeats.push(heartbeat);
    return heartbeat;
  };

  return {
    lingerMs,
    replayHours,
    isRemote: true,
    commit: prepareCommit(db, s, leases, now),
    load: prepareLoad(db, s),
    messages: prepareMessages(db, s),
    readAfter: prepareReadAfter(db, s),
    entryAt: prepareEntryAt(db, s),
    positions: preparePositions(db, s),
    list: prepareList(
      db,
      s,
      new ConcurrencyLimit({ width: Math.max(1, Math.floor(connections * SHARE_OF_LISTS)), maxWaitMs: queryTimeoutMs }),
    ),
    conversation: prepareConversation(db, s),
    post: preparePost(db, s, leases),
    inbox: prepareInbox(db, s),
    ...prepareRequests(db, s, leases, now),
    beat: prepareBeat(pulse, s, leases, now),
    ...(clock === undefined && { startHeartbeat: start }), // the thread knows only the clock of the database
    claim: prepareClaim(db, s, leases, now),
    orphans: prepareOrphans(db, s, now),
    waitingSince: prepareWaitingSince(db, s),
    sweep: prepareSweep(db, s),
    ...prepareErase(db, s),
    now: async () => (await pulse.one<readonly [number]>(`SELECT coalesce($1, ${s}.now_ms())`, [now()]))?.[0] ?? 0,
    close: async () => {
      await Promise.all([db.close(), pulse.close(), ...heartbeats.map((heartbeat) => heartbeat.stop())]);
    },
  };
}
