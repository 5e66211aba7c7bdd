import type { Entry, StoredEntry } from '../store.js';
import { type PackedText, pack, unpack } from './packed-text.js';

type KeptEntry = Omit<StoredEntry, 'json'> & { readonly json: PackedText };

interface EntriesRead {
  /** Default: no limit. */
  readonly maxBytes?: number | undefined;
  /** Leaves out entries of artifacts, and ignores `maxBytes`. */
  readonly withoutArtifacts?: boolean | undefined;
}

/** The entries of one task from seq 1 on. A log is kept or dropped as a whole, so the entry with seq n has index n - 1. */
export class EntryLog {
  readonly #entries: KeptEntry[] = [];
  /** The first seq of each epoch. Kept apart from the entries, because epochs change rarely. */
  readonly #epochs: { readonly firstSeq: number; readonly epoch: number }[] = [];
  #chars = 0;
  #hasPacked = false;

  /** The total length of all texts, as an estimate of their memory. */
  get chars(): number {
    return this.#chars;
  }

  get size(): number {
    return this.#entries.length;
  }

  append(entries: readonly Entry[], epoch: number, committedAt: number): void {
    const [first] = entries;
    if (first === undefined) return;
    if (this.#epochs.at(-1)?.epoch !== epoch) this.#epochs.push({ firstSeq: first.seq, epoch });
    for (const { seq, kind, at, json, generation } of entries) {
      const packed = pack(json);
      this.#hasPacked ||= packed !== json;
      this.#entries.push({ seq, kind, at, json: packed, generation, committedAt });
      this.#chars += json.length;
    }
  }

  /** At least one entry if there is any, then as many as fit into `maxBytes`. */
  after(seq: number, { maxBytes = Number.POSITIVE_INFINITY, withoutArtifacts = false }: EntriesRead = {}): readonly StoredEntry[] {
    const start = Math.max(0, seq);
    if (withoutArtifacts)
      return this.#entries
        .slice(start)
        .filter(({ kind }) => kind !== 'artifact')
        .map(toEntry);
    let end = start;
    let length = 0;
    for (; end < this.#entries.length; end += 1) {
      length += this.#entries[end]?.json.length ?? 0;
      if (end > start && length > maxBytes) break;
    }
    const found = this.#entries.slice(start, end);
    return this.#hasPacked ? found.map(toEntry) : (found as StoredEntry[]); // all texts are strings
  }

  at(seq: number): { readonly epoch: number; readonly json: string } | undefined {
    const entry = this.#entries[seq - 1];
    const epoch = this.#epochs.findLast(({ firstSeq }) => firstSeq <= seq)?.epoch;
    return entry === undefined || epoch === undefined ? undefined : { epoch, json: unpack(entry.json) };
  }
}

function toEntry(kept: KeptEntry): StoredEntry {
  const { json } = kept;
  return typeof json === 'string' ? (kept as StoredEntry) : { ...kept, json: unpack(json) }; // the text has just been checked
}
