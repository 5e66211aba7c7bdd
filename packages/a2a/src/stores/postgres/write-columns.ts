/** A gathered commit as the parameters of `commit_writes`: one column per parameter, with one value per write. */
import { isTerminal } from '../../protocol/task-state.js';
import { checkCreate, checkWrite, malformed, type WrittenTask } from '../check-write.js';
import { MARK, SEPARATOR, toColumn } from '../sql/name.js';
import { refValues, stateNumber } from '../sql/tasks.js';
import { artifactLines, entriesText, firstGeneration, onlyAppends } from '../sql/write-values.js';
import { type RequestKey, refKey, type TaskWrite } from '../store.js';
import type { Value } from './connections.js';
import { CREATES, ENDS, IS_BAD, RELEASES } from './functions/create-task.js';
import type { Leases } from './leases.js';
import { joinColumn } from './names.js';

/** A checked write: the text of its entries, or the error that makes it invalid regardless of the stored data. */
interface Examined {
  readonly write: TaskWrite;
  readonly text: string;
  /** The artifacts as one column. Made once: checking and sending the same string copies a long one only once. */
  readonly artifacts?: string | undefined;
  readonly cause?: unknown;
}

export interface WriteColumns {
  readonly values: readonly Value[];
  /** By the index of the write: the error that makes it invalid. */
  readonly causes: ReadonlyMap<number, unknown>;
}

/** Represents NULL in joined texts. */
const NOTHING = MARK;

export function toColumns(writes: readonly TaskWrite[], leases: Leases): WriteColumns {
  const examined = writes.map(examine);
  const others = placesOfOthers(examined);
  const causes = new Map<number, unknown>();
  for (const [place, { cause }] of examined.entries()) if (cause !== undefined) causes.set(place, cause);
  return { values: [...commonColumns(examined), ...otherColumns(examined, others, leases)], causes };
}

/** The checks that need no stored data: whether the write is consistent in itself, and can be stored unchanged. */
function examine(write: TaskWrite): Examined {
  try {
    if (write.create !== undefined) checkCreate(write);
    else checkWrite(write, taskBefore(write), () => true);
    checkNumbers(write);
    const text = entriesText(write);
    const artifacts = artifactsOf(write);
    checkTexts(write, text, artifacts);
    return { write, text, artifacts };
  } catch (cause) {
    return { write, text: '', cause };
  }
}

/** The task before the write, as far as it follows from the write: its seq is unlimited if the write has no entries. */
function taskBefore({ entries, firstSeq, head, snapshot }: TaskWrite): WrittenTask {
  const seq = entries.length > 0 ? firstSeq - 1 : Number.MAX_SAFE_INTEGER;
  return { seq, contextId: head?.contextId ?? '', messages: snapshot?.messagesBefore ?? 0 };
}

function checkNumbers(write: TaskWrite): void {
  const { epoch, firstSeq, head, take = [] } = write;
  const numbers = [epoch, firstSeq, head?.statusSeq ?? 0, ...take.flatMap(({ n, seq }) => [n, seq])];
  if (!numbers.every(Number.isSafeInteger)) throw malformed(write, 'its numbers must be safe integers');
}

/** JSON escapes both characters, so a text that contains one of them is not JSON. */
function checkTexts(write: TaskWrite, text: string, artifacts = ''): void {
  const { head = '', history = '' } = write.snapshot ?? {};
  for (const one of [text, head, history, artifacts]) {
    if (one.includes(SEPARATOR) || one.includes('\0')) throw malformed(write, 'one of its texts is not JSON');
  }
}

/** The indexes of writes that do more than append, or whose task has another write in this commit. They are applied in order. */
function placesOfOthers(examined: readonly Examined[]): readonly number[] {
  const writesOf = new Map<string, number>();
  const keys = examined.map(({ write }) => refKey(write.ref));
  for (const key of keys) writesOf.set(key, (writesOf.get(key) ?? 0) + 1);
  const places: number[] = [];
  for (const [place, { write, cause }] of examined.entries()) {
    const isAlone = writesOf.get(keys[place] ?? '') === 1;
    if (cause !== undefined || !isAlone || !onlyAppends(write)) places.push(place);
  }
  return places;
}

function commonColumns(examined: readonly Examined[]): readonly Value[] {
  const refs = examined.map(({ write }) => refValues(write.ref));
  const number = (of: (write: TaskWrite) => number) =>
    examined.map(({ write }) => {
      const found = of(write);
      return Number.isSafeInteger(found) ? found : -1;
    });
  return [
    joinColumn(refs, 0),
    joinColumn(refs, 1),
    joinColumn(refs, 2),
    joinColumn(refs, 3),
    number(({ epoch }) => epoch),
    number(({ firstSeq }) => firstSeq),
    number(({ entries }) => entries.length),
    join(examined, ({ text }) => text),
    examined.map(({ write, cause }) => (cause === undefined ? firstGeneration(write) : 0)),
  ];
}

function otherColumns(examined: readonly Examined[], places: readonly number[], leases: Leases): readonly Value[] {
  const others = places.flatMap((place) => examined[place] ?? []);
  const sound = others.map(({ write, cause }) => (cause === undefined ? write : undefined));
  const owners = sound.map((write) => (write?.create === undefined ? undefined : leases.of(write.create.node)));
  const key = (of: (request: RequestKey) => string) =>
    join(sound, (write) => (write?.create?.request === undefined ? undefined : toColumn(of(write.create.request))));
  const takes = (of: (take: { n: number; seq: number }) => number) =>
    join(sound, (write) => (write?.take === undefined ? undefined : `{${write.take.map(of).join(',')}}`));
  return [
    places.map((place) => place + 1),
    others.map(flagsOf),
    join(owners, (owner) => owner?.[0]),
    owners.map((owner) => owner?.[1] ?? null),
    key(({ agent }) => agent),
    key(({ tenant }) => tenant),
    key(({ owner }) => owner),
    key((request) => request.key),
    join(sound, (write) => write?.head && toColumn(write.head.contextId)),
    sound.map((write) => (write?.head === undefined ? null : stateNumber(write.head.state))),
    sound.map((write) => write?.head?.statusAt ?? null),
    sound.map((write) => write?.head?.statusSeq ?? null),
    join(sound, (write) => write?.snapshot?.head),
    join(sound, (write) => write?.snapshot?.history),
    sound.map((write) => write?.snapshot?.messagesBefore ?? null),
    sound.map((write) => write?.snapshot?.messages ?? null),
    sound.map((write) => write?.snapshot?.historyBytes ?? null),
    join(others, ({ artifacts }) => artifacts),
    sound.map((write) => write?.entries.at(-1)?.generation ?? null),
    takes(({ n }) => n),
    takes(({ seq }) => seq),
  ];
}

/** A new task has all its artifacts as lines; a later write has the number of each artifact before its JSON. */
function artifactsOf({ create, snapshot }: TaskWrite): string | undefined {
  if (snapshot === undefined || create !== undefined) return snapshot && artifactLines(snapshot);
  return snapshot.artifacts.map(({ n, json }) => `${n} ${json}`).join('\n');
}

function flagsOf({ write, cause }: Examined): number {
  const hasEnded = write.head !== undefined && isTerminal(write.head.state);
  return (write.create ? CREATES : 0) | (cause === undefined ? 0 : IS_BAD) | (write.release ? RELEASES : 0) | (hasEnded ? ENDS : 0);
}

function join<T>(list: readonly T[], of: (item: T) => string | undefined): string {
  return list.map((item) => of(item) ?? NOTHING).join(SEPARATOR);
}
