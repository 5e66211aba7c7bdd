/** Renews the lease of a node from a worker thread, so that a blocked event loop does not lose it. */
import { Worker } from 'node:worker_threads';
import type { ClientConfig } from 'pg';
import { toColumn } from '../sql/name.js';
import type { Heartbeat, HeartbeatOptions } from '../store.js';
import { toWhole } from './connections.js';
import { lockLimit } from './functions/fragments.js';
import { HeartbeatThread, type ThreadData } from './heartbeat-thread.js';
import { SharedInstant } from './shared-instant.js';

export interface ThreadConnection {
  /** The path of the driver. */
  readonly driver: string;
  readonly config: ClientConfig;
  /** The quoted name of the schema. */
  readonly schema: string;
  readonly queryTimeoutMs: number;
}

/** How often the event loop shows the thread that it runs; more often if `stallMs` is short. */
const ALIVE_EVERY_MS = 1_000;
const MARKS_PER_STALL = 4;
const RETRY_MS = 1_000;
/** A connect or a statement that hangs leaves time for two more attempts within the lease. */
const ATTEMPTS_PER_LEASE = 3;

/**
 * The code of the thread, as text: a file of its own would be missing in bundles, and in tests it would be TypeScript. Names in it may be
 * changed by a minifier; the classes do not refer to each other by name. `__name` is what esbuild calls with its option `keepNames`.
 */
const code = (): string => `
const __name = (target) => target;
const { parentPort, workerData } = require('node:worker_threads');
const Instant = ${SharedInstant.toString()};
const Thread = ${HeartbeatThread.toString()};
const { Client } = require(workerData.driver);
const [alive, own, renewal] = [0, 1, 2].map((index) => new Instant(workerData.buffer, index));
const connect = (config) => new Client(config);
new Thread(workerData, { alive, own, renewal, connect, report: (failure) => parentPort.postMessage(failure) }).run();`;

/** Extends a lease that has not expired, and never shortens it. */
const renewSql = (s: string): string => `
  UPDATE ${s}.nodes AS n SET until = greatest(n.until, ${s}.now_ms() + $3::bigint) FROM ${lockLimit('$4')}
  WHERE n.id = $1 AND n.incarnation = $2 AND n.until > ${s}.now_ms() RETURNING 1`;

/** Throws if the configuration cannot be cloned, or the thread cannot be created. */
export function startHeartbeat(connection: ThreadConnection, options: HeartbeatOptions): Heartbeat {
  const data = threadData(connection, options);
  const instant = (index: number): SharedInstant => new SharedInstant(data.buffer, index);
  const [alive, own, renewal] = [instant(0), instant(1), instant(2)];
  alive.set();
  const worker = new Worker(code(), { eval: true, workerData: data, execArgv: [], name: 'parley heartbeat' });
  const timer = setInterval(() => alive.set(), Math.min(ALIVE_EVERY_MS, options.stallMs / MARKS_PER_STALL)).unref();
  let failure: string | undefined;
  let isOver = false;
  const end = (cause?: unknown): void => {
    if (isOver) return;
    isOver = true;
    clearInterval(timer);
    if (cause !== undefined) options.onFailure(cause);
  };
  worker.on('message', (text: string) => {
    failure = text;
  });
  worker.on('error', end);
  worker.on('exit', (exitCode) => end(new Error(`the heartbeat thread ended with code ${exitCode}`)));
  worker.unref(); // after the listeners, which would keep the process alive
  return {
    get agoMs() {
      return renewal.agoMs;
    },
    get failure() {
      return failure;
    },
    renewed: (agoMs) => own.set(agoMs),
    async stop() {
      end();
      worker.ref(); // the process must not exit before the agent has closed
      await worker.terminate();
    },
  };
}

function threadData({ driver, config, schema, queryTimeoutMs }: ThreadConnection, options: HeartbeatOptions): ThreadData {
  const { node, incarnation, leaseMs, beatMs, stallMs } = options;
  checkConfig(config);
  const timeoutMs = Math.ceil(Math.min(queryTimeoutMs, leaseMs / ATTEMPTS_PER_LEASE));
  return {
    buffer: SharedInstant.memory(3),
    driver,
    config: { ...config, connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs },
    sql: renewSql(schema),
    values: [toColumn(node), toColumn(incarnation), toWhole(Math.round(leaseMs)), String(Math.ceil(timeoutMs / 2))],
    leaseMs,
    beatMs,
    retryMs: Math.min(RETRY_MS, beatMs),
    stallMs,
  };
}

/** Names the option, and not its value, which may be a secret. */
function checkConfig(config: ClientConfig): void {
  for (const [name, value] of Object.entries(config)) {
    try {
      structuredClone(value);
    } catch {
      throw new Error(`the option ${name} of the Pool contains a function or another value that no thread can get`);
    }
  }
}
