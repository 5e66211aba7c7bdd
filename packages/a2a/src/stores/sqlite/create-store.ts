/** Assembles the store from its parts. */
import type { Clock } from '../../protocol/clock.js';
import { onlyAppends } from '../sql/write-values.js';
import type { CommitResult, TaskStore, TaskWrite } from '../store.js';
import { Access } from './access.js';
import { backUp } from './backup.js';
import { createCheckpoints, type WriteSize } from './checkpoint.js';
import { prepareCommit } from './commit.js';
import { DiskSync } from './disk-sync.js';
import { type Erased, prepareErase } from './erase.js';
import { toUnavailable } from './failure.js';
import { Gate } from './gate.js';
import { prepareInbox } from './inbox.js';
import { prepareList } from './list.js';
import { prepareBeat, prepareClaim, prepareOrphans, prepareWaitingSince } from './nodes.js';
import { closeFile, type OpenFile } from './open.js';
import { prepareReads } from './read.js';
import { prepareRequests } from './requests.js';
import { prepareSweep } from './sweep.js';
import { Totals } from './totals.js';
import { prepareProbe, WriteHealth } from './write-health.js';
import { prepareWriteTask } from './write-task.js';

/** A store in a SQLite file. */
export interface SqliteStore extends TaskStore {
  /**
   * Writes a copy of all tasks to a new file while the store is in use. The copy has everything that was acknowledged before the call, and
   * can be opened with `sqlite(path)`. Rejects with INVALID_PARAMS when the path exists; a failed backup leaves no file with that name.
   */
  backup(path: string): Promise<void>;
}

export interface StoreSettings {
  readonly durability: 'process' | 'power';
  readonly lingerMs: number;
  readonly replayHours: number;
  readonly clock: Clock;
  /** The WAL size, in pages, at which a checkpoint starts. Default 4,000. */
  readonly checkpointPages?: number;
}

/** Takes ownership of the file: closes it with the store, or when it cannot be used. */
export function createStore(file: OpenFile, settings: StoreSettings): SqliteStore {
  try {
    return assemble(file, settings);
  } catch (error) {
    closeFile(file);
    throw toUnavailable(error);
  }
}

function assemble(file: OpenFile, settings: StoreSettings): SqliteStore {
  const { lingerMs, replayHours, clock } = settings;
  const health = new WriteHealth();
  const { commit, inbox, requests, ...statements } = prepareStatements(file, health);
  const access = createAccess(file, settings, health);
  const probe = async (): Promise<void> => {
    await access.write(() => statements.probe(clock.now()), { isDurable: () => true });
    health.recovered();
  };

  return {
    lingerMs,
    replayHours,
    commit: (writes) =>
      access.write(() => commit(writes, Math.round(clock.now())), {
        sizeOf: (answers) => sizeOf(writes, answers),
        isDurable: (answers) => isDurable(writes, answers),
      }),
    load: (ref, historyLength) => access.read(() => statements.load(ref, historyLength)),
    messages: (ref, from, to) => access.read(() => statements.messages(ref, from, to)),
    readAfter: (ref, seq, maxBytes) => access.read(() => statements.readAfter(ref, seq, maxBytes)),
    entryAt: (ref, seq) => access.read(() => statements.entryAt(ref, seq)),
    positions: (refs) => access.read(() => refs.map(statements.positionOf)),
    list: (query) => access.read(() => statements.list(query)),
    conversation: (context, limit) => access.read(() => statements.conversation(context, limit)),
    post: (ref, kind, json, request) =>
      access.write(() => inbox.post(ref, kind, json, request), {
        sizeOf: () => rowOf(json),
        isDurable: (answer) => typeof answer === 'number',
      }),
    inbox: (ref, after) => access.read(() => inbox.after(ref, after)),
    beginRequest: (key, bodyHash, node) => access.write(() => requests.begin(key, bodyHash, node, clock.now())),
    endRequest: (key, replyJson) =>
      access.write(() => requests.end(key, replyJson), { sizeOf: () => rowOf(replyJson), isDurable: () => true }),
    dropRequest: (request) => access.write(() => requests.drop(request)),
    beat: async (node, incarnation, until) => {
      if (!health.canWrite) await probe().catch(() => {}); // the next heartbeat probes again
      return access.write(() => statements.beat(node, incarnation, until, clock.now()));
    },
    canWrite: () => health.canWrite,
    claim: (ref, node) => access.write(() => statements.claim(ref, node, clock.now())),
    orphans: (agent, limit) => access.read(() => statements.orphans(agent, limit, clock.now())),
    waitingSince: (agent, before, limit) => access.read(() => statements.waitingSince(agent, before, limit)),
    sweep: (policy, now) =>
      access.write(() => statements.sweep(policy, now), { sizeOf: (tasks) => ({ rows: tasks, appends: 0, chars: 0 }) }),
    erase: async (ref) => (await access.alone(() => statements.erase(ref), erasedSize)).refs.length > 0,
    eraseContext: async (context, limit) => (await access.alone(() => statements.eraseContext(context, limit), erasedSize)).refs,
    backup: (path) => access.beside(() => backUp(file.path, path)),
    now: () => access.read(() => clock.now()),
    close: () => access.close(),
  };
}

function prepareStatements(file: OpenFile, health: WriteHealth) {
  const { db } = file;
  const requests = prepareRequests(db);
  const inbox = prepareInbox(db, requests);
  const totals = new Totals(db);
  return {
    inbox,
    requests,
    ...prepareReads(db),
    commit: prepareCommit(db, prepareWriteTask(db, { inbox, requests, totals }), health),
    probe: prepareProbe(db),
    list: prepareList(db, totals),
    beat: prepareBeat(db),
    claim: prepareClaim(db, inbox),
    orphans: prepareOrphans(db),
    waitingSince: prepareWaitingSince(db),
    sweep: prepareSweep(db, requests, totals),
    ...prepareErase(file, totals),
  };
}

function createAccess(file: OpenFile, { durability, checkpointPages }: StoreSettings, health: WriteHealth): Access {
  const gate = new Gate();
  return new Access({
    gate,
    sync: new DiskSync(`${file.path}-wal`),
    checkpoints: createCheckpoints(file, gate, checkpointPages),
    health,
    syncsAll: durability === 'power',
    onClosed: () => closeFile(file),
  });
}

function isDurable(writes: readonly TaskWrite[], answers: readonly CommitResult[]): boolean {
  return answers.some(({ kind }, index) => kind === 'ok' && writes[index]?.durable === true);
}

function sizeOf(writes: readonly TaskWrite[], answers: readonly CommitResult[]): WriteSize {
  const size = { rows: 0, appends: 0, chars: 0 };
  for (const [index, write] of writes.entries()) {
    if (answers[index]?.kind !== 'ok') continue;
    size[onlyAppends(write) ? 'appends' : 'rows'] += 1;
    for (const { json } of write.entries) size.chars += json.length;
    size.chars += write.snapshot?.history.length ?? 0;
    for (const { json } of write.snapshot?.artifacts ?? []) size.chars += json.length;
  }
  return size;
}

/** Erased texts are overwritten, so they are written once more. */
function erasedSize({ refs, chars }: Erased): WriteSize {
  return { rows: refs.length, appends: 0, chars };
}

function rowOf(json: string): WriteSize {
  return { rows: 1, appends: 0, chars: json.length };
}
