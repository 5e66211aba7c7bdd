/**
 * Concurrent loads of one task from a remote store share their texts: forty reads of a task of 39 MB would otherwise receive it forty times
 * before the first is refused. A load never joins one that has begun, because that one may miss a commit that the caller knows of.
 */

import { nextIteration } from '../../platform/slices.js';
import { refKey, type StoredTask, type TaskRef, type TaskStore } from '../../stores/store.js';

type Loaded = Promise<StoredTask | undefined>;

/** What to load: the task, with this many of its newest messages. */
export interface Wanted {
  readonly ref: TaskRef;
  readonly historyLength: number | undefined;
}

interface Loading {
  readonly now: Loaded;
  /** Shared by all loads that have waited for `now`. */
  next: Loaded | undefined;
}

export class SharedLoads {
  readonly #store: Pick<TaskStore, 'load'>;
  readonly #loading = new Map<string, Loading>();

  constructor(store: Pick<TaskStore, 'load'>) {
    this.#store = store;
  }

  /** As `TaskStore.load`. `check` is called after a wait and may refuse the caller: others may have used up its share meanwhile. */
  load(wanted: Wanted, check?: () => void): Loaded {
    const key = `${wanted.historyLength ?? ''} ${refKey(wanted.ref)}`;
    const loading = this.#loading.get(key);
    return loading === undefined ? this.#begin(key, wanted) : this.#follow(key, wanted, { loading, check });
  }

  async #follow(key: string, wanted: Wanted, { loading, check }: { loading: Loading; check: (() => void) | undefined }): Loaded {
    await loading.now.then(ignore, ignore);
    await nextIteration(); // those that waited for it first reserve their replies
    check?.();
    loading.next ??= this.#begin(key, wanted);
    return loading.next;
  }

  #begin(key: string, { ref, historyLength }: Wanted): Loaded {
    const loading: Loading = { now: this.#store.load(ref, historyLength), next: undefined };
    this.#loading.set(key, loading);
    const end = (): void => {
      if (this.#loading.get(key) === loading) this.#loading.delete(key);
    };
    loading.now.then(end, end);
    return loading.now;
  }
}

function ignore(): void {}
