/**
 * One recorded task, read over a network that breaks anywhere: wherever and however often it breaks, the reader gets the same updates. The
 * peer is a log of events with a position; each stream is cut somewhere, and the log grows while no stream is open.
 */
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { StreamedEvent } from '../../src/client/call.js';
import { createRun } from '../../src/client/run/create-run.js';
import type { Reply, Update } from '../../src/client/run/update.js';
import { applyEvent, createDraft, type TaskEvent } from '../../src/protocol/apply-event.js';
import { A2AError, A2ATransportError } from '../../src/protocol/errors.js';
import { isTerminal } from '../../src/protocol/task-state.js';
import type { Part, StreamResponse, Task } from '../../src/protocol/types.js';
import { walkOver } from './run-walk.js';
import { CONTEXT, type RecordedCall, type Step, scriptedPeer, status, TASK, task } from './scripted-peer.js';

type Told = Exclude<Step, string | ((...args: never[]) => unknown)>;

/** Where a stream breaks, how it breaks, and how far the log grows before the next stream. */
interface Cut {
  readonly after: number;
  readonly how: 'drop' | 'end' | 'garbage' | 'unavailable' | 'refused';
  readonly gap: number;
}

const partArbitrary: fc.Arbitrary<Part> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a', 'b', 'ab', '', 'word ').map((text) => ({ text })) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 3 }).map((data) => ({ data })) },
);

type Piece =
  | { readonly kind: 'chunk'; readonly id: string; readonly parts: Part[]; readonly anew: boolean; readonly last: boolean }
  | { readonly kind: 'say'; readonly text: boolean };

const pieceArbitrary = (canReplace: boolean): fc.Arbitrary<Piece> =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('chunk' as const),
        id: fc.constantFrom('x', 'y', 'z'),
        parts: fc.array(partArbitrary, { minLength: 1, maxLength: 3 }),
        anew: canReplace ? fc.boolean() : fc.constant(false),
        last: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('say' as const), text: fc.boolean() }) },
  );

const cutsArbitrary: fc.Arbitrary<Cut[]> = fc.array(
  fc.record({
    after: fc.integer({ min: 0, max: 4 }),
    how: fc.constantFrom('drop' as const, 'end' as const, 'garbage' as const, 'unavailable' as const, 'refused' as const),
    gap: fc.integer({ min: 0, max: 3 }),
  }),
  { maxLength: 8 },
);

const logArbitrary = (canReplace: boolean): fc.Arbitrary<StreamResponse[]> =>
  fc
    .record({
      pieces: fc.array(pieceArbitrary(canReplace), { maxLength: 14 }),
      end: fc.constantFrom('TASK_STATE_COMPLETED' as const, 'TASK_STATE_FAILED' as const),
      word: fc.boolean(),
    })
    .map(({ pieces, end, word }) => toLog(pieces, status(end, word ? 'the end' : undefined, time(99))));

const time = (n: number): string => new Date(Date.UTC(2026, 0, 1) + n).toISOString();

function toLog(pieces: readonly Piece[], end: StreamResponse): StreamResponse[] {
  const known = new Set<string>();
  const events = pieces.map((piece, index): StreamResponse => {
    if (piece.kind === 'say') return status('TASK_STATE_WORKING', piece.text ? `step ${index}` : undefined, time(index));
    const { id, parts, anew } = piece;
    const append = known.has(id) && !anew;
    known.add(id);
    const next = pieces.slice(index + 1).find((later) => later.kind === 'chunk' && later.id === id);
    // No chunk is appended to an artifact after its last chunk.
    const lastChunk = piece.last && (next?.kind !== 'chunk' || next.anew);
    return { artifactUpdate: { taskId: TASK, contextId: CONTEXT, artifact: { artifactId: id, parts }, append, lastChunk } };
  });
  return [task('TASK_STATE_SUBMITTED', { history: [{ messageId: 'ours', role: 'ROLE_USER', parts: [{ text: 'Hi' }] }] }), ...events, end];
}

/** The task after this many events, with texts merged as in a Parley server or with each part as it was sent. */
function foldTo(log: readonly StreamResponse[], count: number, keepParts = false): Task {
  const draft = createDraft(log[0]?.task ?? { id: TASK, status: { state: 'TASK_STATE_SUBMITTED' } });
  for (const event of log.slice(1, count)) applyEvent(draft, toEvent(event), { keepParts });
  const { artifacts, history, ...rest } = structuredClone(draft);
  return { ...rest, ...(artifacts.length > 0 && { artifacts }), ...(history.length > 0 && { history }) };
}

function toEvent({ statusUpdate, artifactUpdate }: StreamResponse): TaskEvent {
  if (statusUpdate !== undefined) return { kind: 'status', update: statusUpdate };
  if (artifactUpdate !== undefined) return { kind: 'artifact', update: artifactUpdate };
  throw new Error('not an event of a task');
}

const FIRST_SEQ = 2;

interface PeerBehavior {
  /** Whether the peer numbers its events. */
  readonly isLog: boolean;
  /**
   * How the peer stores the texts of an artifact: as the Parley reducer does, each part as it was sent, or adjacent texts joined in one
   * part.
   */
  readonly keeps?: Keeps;
  /** The events that a subscription sends again. */
  readonly repeats?: Repeats | undefined;
}

type Keeps = 'as ours' | 'as sent' | 'one text';

type Repeats = 'the whole log' | 'the log after the snapshot' | 'finished artifacts' | 'finished artifacts in one part' | 'last chunks';

const REPEATS: readonly Repeats[] = [
  'the whole log',
  'the log after the snapshot',
  'finished artifacts',
  'finished artifacts in one part',
  'last chunks',
];

interface Progress {
  /** Events that a stream has carried. The client got the others only in snapshots. */
  readonly sent: ReadonlySet<StreamResponse>;
  readonly position: number;
}

function repetitionOf(log: readonly StreamResponse[], repeats: Repeats, { sent, position }: Progress): readonly StreamResponse[] {
  const past = log.slice(0, position);
  if (repeats === 'the whole log') return past;
  if (repeats === 'the log after the snapshot') return past.slice(1);
  // Only artifacts whose last chunk the client has seen: a snapshot does not say whether an artifact is finished.
  const lastChunks = past.filter((event, at) => event.artifactUpdate?.lastChunk && sent.has(event) && isLastOf(past, event, at));
  if (repeats === 'last chunks') return lastChunks;
  const finished = new Set(lastChunks.map(({ artifactUpdate }) => artifactUpdate?.artifact.artifactId));
  if (repeats === 'finished artifacts') return past.filter(({ artifactUpdate }) => finished.has(artifactUpdate?.artifact.artifactId ?? ''));
  const whole = joined(foldTo(log, position)).artifacts?.filter(({ artifactId }) => finished.has(artifactId)) ?? [];
  return whole.map((artifact) => ({ artifactUpdate: { taskId: TASK, contextId: CONTEXT, artifact, append: false, lastChunk: true } }));
}

function isLastOf(events: readonly StreamResponse[], { artifactUpdate }: StreamResponse, at: number): boolean {
  return !events.slice(at + 1).some((later) => later.artifactUpdate?.artifact.artifactId === artifactUpdate?.artifact.artifactId);
}

/** The peer answers every call from the log up to its current position. */
function peerOver(log: readonly StreamResponse[], cuts: readonly Cut[], { isLog, keeps = 'as ours', repeats }: PeerBehavior) {
  const left = [...cuts];
  let position = 0;
  const sent = new Set<StreamResponse>();

  const stream = (from: number, before: StreamedEvent[], isSend: boolean): Told => {
    const cut = left.shift();
    if (cut === undefined) {
      position = log.length;
      return { events: [...before, ...eventsOf(from, log.length)] };
    }
    // Before the first event the client does not know the task, so agents without the log are not cut there.
    const to = Math.min(log.length, from + (isSend && !isLog ? Math.max(1, cut.after) : cut.after));
    position = Math.max(position, Math.min(log.length, to + cut.gap));
    if (cut.how === 'refused' && !isSend) return { error: new A2ATransportError('network', 'refused', { sent: false }) };
    for (const event of log.slice(from, to)) sent.add(event);
    return { events: [...before, ...eventsOf(from, to)], end: END[cut.how] };
  };

  const eventsOf = (from: number, to: number): StreamedEvent[] =>
    log.slice(from, to).map((response, index) => ({ seq: isLog ? FIRST_SEQ + from + index : undefined, response }));

  return ({ method, options }: RecordedCall): Told => {
    const folded = foldTo(log, position, keeps === 'as sent');
    const snapshot = keeps === 'one text' ? joined(folded) : folded;
    if (method === 'SendStreamingMessage') return stream(0, [], true);
    if (method === 'GetTask') return { value: snapshot };
    if (isLog && options.lastEventId !== undefined) {
      // Sometimes events that were already sent come again, but never the Task: it would mean that the log restarts.
      return stream(Math.max(1, options.lastEventId - FIRST_SEQ + 1 - (left.length % 3)), [], false);
    }
    if (isTerminal(snapshot.status.state)) return { error: new A2AError('UNSUPPORTED_OPERATION', 'over') };
    const begin: StreamedEvent = { seq: isLog ? FIRST_SEQ + position - 1 : undefined, response: { task: snapshot } };
    const again = repeats === undefined ? [] : repetitionOf(log, repeats, { sent, position });
    const before = again.map((response): StreamedEvent => ({ seq: undefined, response }));
    return stream(position, repeats === 'the whole log' ? before : [begin, ...before], false);
  };
}

const END = {
  drop: 'drop',
  refused: 'drop',
  end: 'end',
  garbage: new A2ATransportError('serialization', 'garbage', { sent: true }),
  unavailable: new A2AError('AGENT_UNAVAILABLE', 'draining'),
} as const;

/** Some agents store a text in one part, however it was sent. */
function joined(whole: Task): Task {
  const artifacts = whole.artifacts?.map((artifact) => {
    const parts: Part[] = [];
    for (const part of artifact.parts) {
      const last = parts.at(-1);
      if (last?.text !== undefined && part.text !== undefined) parts[parts.length - 1] = { text: last.text + part.text };
      else parts.push(part);
    }
    return { ...artifact, parts };
  });
  return { ...whole, ...(artifacts && { artifacts }) };
}

interface Read {
  readonly updates: readonly Update[];
  readonly reply: Reply | undefined;
}

async function read(log: readonly StreamResponse[], cuts: readonly Cut[], behavior: PeerBehavior): Promise<Read> {
  const { isLog } = behavior;
  const answer = peerOver(log, cuts, behavior);
  const peer = scriptedPeer(Array(200).fill(answer), { log: isLog });
  // Enough attempts for all cuts: their limit is not tested here.
  const run = createRun(peer, 'Hi', { throwOn: 'never', reconnect: { maxRetries: 100, initialDelayMs: 1 } });
  const { updates, reply, error } = await walkOver(peer, run);
  expect(error).toBeUndefined();
  const sends = peer.methods.filter((method) => method === 'SendStreamingMessage');
  if (!isLog) expect(sends).toHaveLength(1);
  return { updates, reply };
}

/** The list of a reader that collects parts itself: the parts of each artifact, in the order of the updates. */
function kept(updates: readonly Update[]): Record<string, Part[]> {
  const artifacts: Record<string, Part[]> = {};
  for (const update of updates) {
    if (update.kind !== 'artifact') continue;
    const { artifactId } = update.artifact;
    artifacts[artifactId] = [...(update.append ? (artifacts[artifactId] ?? []) : []), ...update.parts];
  }
  return artifacts;
}

const taskOf = (reply: Reply | undefined): Task | undefined => (reply?.kind === 'task' ? reply.task : undefined);
const textOf = (parts: readonly Part[]): string =>
  JSON.stringify(
    joined({
      id: '',
      status: { state: 'TASK_STATE_WORKING' },
      artifacts: [{ artifactId: '', parts: parts.filter((part) => part.text !== '') }],
    }).artifacts?.[0]?.parts,
  );

const keepsArbitrary = fc.constantFrom<Keeps>('as ours', 'as sent', 'one text');

/** The task with adjacent texts joined, for a comparison without chunk boundaries. */
const contentOf = (whole: Task | undefined): unknown =>
  whole && { ...whole, artifacts: whole.artifacts?.map((artifact) => ({ ...artifact, parts: textOf(artifact.parts) })) };

/** The updates without reconnects. */
const plain = (updates: readonly Update[]): unknown[] =>
  updates.flatMap((update) => (update.kind === 'reconnect' ? [] : [JSON.parse(JSON.stringify(update))]));

const runs = { numRuns: 100 };
const fewer = { numRuns: 40 };
// Hundreds of runs per test take longer than the default timeout on a busy machine.
vi.setConfig({ testTimeout: 20_000 });
const OURS: PeerBehavior = { isLog: true };

describe('D34: a recorded task, cut at random places', () => {
  test('D34: from a Parley server, every event arrives once and in order, as without cuts', async () => {
    await fc.assert(
      fc.asyncProperty(logArbitrary(true), cutsArbitrary, async (log, cuts) => {
        const [whole, cut] = [await read(log, [], OURS), await read(log, cuts, OURS)];
        expect(plain(cut.updates)).toEqual(plain(whole.updates));
        expect(cut.reply).toEqual(whole.reply);
        expect(taskOf(cut.reply)).toEqual(foldTo(log, log.length));
        const seqs = cut.updates.flatMap(({ kind, seq }) => (kind === 'artifact' || kind === 'state' ? [seq] : []));
        expect(seqs).toEqual(log.map((_, index) => FIRST_SEQ + index));
      }),
      runs,
    );
  });

  test('D34, D48: from other servers, however they split stored texts, every character and part arrives once, in order', async () => {
    await fc.assert(
      fc.asyncProperty(logArbitrary(false), cutsArbitrary, keepsArbitrary, async (log, cuts, keeps) => {
        const [whole, cut] = [await read(log, [], { isLog: false, keeps }), await read(log, cuts, { isLog: false, keeps })];
        const told = (updates: readonly Update[], id: string): string =>
          textOf(updates.flatMap((update) => (update.kind === 'artifact' && update.artifact.artifactId === id ? update.parts : [])));
        for (const id of ['x', 'y', 'z']) expect(told(cut.updates, id)).toBe(told(whole.updates, id));
        expect(contentOf(taskOf(cut.reply))).toEqual(contentOf(taskOf(whole.reply)));
        expect(contentOf(taskOf(cut.reply))).toEqual(contentOf(foldTo(log, log.length)));
        expect(cut.reply?.text).toBe(whole.reply?.text);
      }),
      runs,
    );
  });

  test('D34, D48: from other servers that replace artifacts, a reader that collects parts itself has the right list', async () => {
    await fc.assert(
      fc.asyncProperty(logArbitrary(true), cutsArbitrary, keepsArbitrary, async (log, cuts, keeps) => {
        const { updates, reply } = await read(log, cuts, { isLog: false, keeps });
        expect(contentOf(taskOf(reply))).toEqual(contentOf(foldTo(log, log.length)));
        const final = Object.fromEntries((taskOf(reply)?.artifacts ?? []).map(({ artifactId, parts }) => [artifactId, textOf(parts)]));
        expect(Object.fromEntries(Object.entries(kept(updates)).map(([id, parts]) => [id, textOf(parts)]))).toEqual(final);
      }),
      runs,
    );
  });

  for (const repeats of REPEATS) {
    test(`F30: from other servers that repeat ${repeats}, every part arrives once and in order, and the final task is the same`, async () => {
      await fc.assert(
        fc.asyncProperty(logArbitrary(false), cutsArbitrary, keepsArbitrary, async (log, cuts, keeps) => {
          const { updates, reply } = await read(log, cuts, { isLog: false, keeps, repeats });
          const final = foldTo(log, log.length);
          expect(contentOf(taskOf(reply))).toEqual(contentOf(final));
          for (const { artifactId, parts } of final.artifacts ?? []) {
            const told = updates.flatMap((update) =>
              update.kind === 'artifact' && update.artifact.artifactId === artifactId ? [update] : [],
            );
            expect(textOf(told.flatMap((update) => update.parts))).toBe(textOf(parts));
            expect(told.slice(1).every(({ append }) => append)).toBe(true);
          }
        }),
        fewer,
      );
    });

    test(`F30: from other servers that repeat ${repeats} and replace artifacts, a reader that collects parts itself has the right list`, async () => {
      await fc.assert(
        fc.asyncProperty(logArbitrary(true), cutsArbitrary, keepsArbitrary, async (log, cuts, keeps) => {
          const { updates, reply } = await read(log, cuts, { isLog: false, keeps, repeats });
          expect(contentOf(taskOf(reply))).toEqual(contentOf(foldTo(log, log.length)));
          const final = Object.fromEntries((taskOf(reply)?.artifacts ?? []).map(({ artifactId, parts }) => [artifactId, textOf(parts)]));
          expect(Object.fromEntries(Object.entries(kept(updates)).map(([id, parts]) => [id, textOf(parts)]))).toEqual(final);
        }),
        fewer,
      );
    });
  }

  test('the task of an update keeps the state of that update, also when it is read much later', async () => {
    await fc.assert(
      fc.asyncProperty(logArbitrary(true), async (log) => {
        const { updates } = await read(log, [], OURS);
        for (const update of updates) expect(update.task).toEqual(foldTo(log, (update.seq ?? 0) - FIRST_SEQ + 1));
      }),
      { numRuns: 50 },
    );
  });
});
