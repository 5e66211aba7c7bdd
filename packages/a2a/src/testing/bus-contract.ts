import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { EventBus, Move } from '../bus/bus.js';
import type { TaskRef } from '../stores/store.js';

/** Returns two ends of a new bus, as two nodes have them: moves sent at the first arrive at the second. Both may be one object. */
export type CreateBusEnds = () => Promise<readonly [EventBus, EventBus]> | readonly [EventBus, EventBus];

/** One statement of the contract, and the code that checks it with a new bus. */
export type BusCheck = readonly [name: string, run: (create: CreateBusEnds) => Promise<void>];

const PATIENCE_MS = 5_000;

function check(name: string, body: (here: EventBus, there: EventBus) => Promise<void>): BusCheck {
  return [
    name,
    async (create) => {
      const [here, there] = await create();
      try {
        await body(here, there);
      } finally {
        await here.close();
        await there.close();
      }
    },
  ];
}

function move(id: string, seq: number, scope: Partial<TaskRef> = {}): Move {
  return { ref: { agent: '', tenant: 'tenant', owner: 'owner', ...scope, id }, seq };
}

/** Collects moves. `until` waits for a task, because a bus may need time. */
function recordMoves(bus: EventBus) {
  const heard: Move[] = [];
  let wake = (): void => {};
  const stop = bus.listen((moves) => {
    heard.push(...moves);
    wake();
  });
  const until = async (id: string): Promise<void> => {
    const patience = new AbortController();
    const givenUp = pause(PATIENCE_MS, undefined, { signal: patience.signal }).then(() => assert.fail(`no move of task ${id} arrived`));
    while (!heard.some(({ ref }) => ref.id === id)) {
      const more = new Promise<void>((resolve) => {
        wake = resolve;
      });
      await Promise.race([more, givenUp]);
    }
    patience.abort();
    await givenUp.catch(() => {});
  };
  return { heard, stop, until };
}

/** All promises of an EventBus, one check each. Run them all against every bus. */
export const busContract: readonly BusCheck[] = [
  check(
    'D42: a listener learns which tasks moved and to which seq; a newer move may replace older ones of its task',
    async (here, there) => {
      const { heard, until } = recordMoves(there);
      here.notify([move('a', 1), move('b', 7)]);
      here.notify([move('a', 2)]);
      here.notify([move('end', 1)]);
      await until('end');
      const seqs = (id: string): readonly number[] => heard.flatMap(({ ref, seq }) => (ref.id === id ? [seq] : []));
      assert.deepEqual(seqs('a').slice(-1), [2]);
      assert.ok(seqs('a').length === 1 || seqs('a')[0] === 1);
      assert.deepEqual(seqs('b'), [7]);
      assert.deepEqual(heard.at(-1), move('end', 1));
    },
  ),

  check('D42: a move of the inbox arrives separately from a move of the log', async (here, there) => {
    const { heard, until } = recordMoves(there);
    here.notify([move('a', 5)]);
    here.notify([move('a', 0)]);
    here.notify([move('b', 0), move('b', 3)]);
    here.notify([move('end', 1)]);
    await until('end');
    for (const told of [move('a', 5), move('a', 0), move('b', 0), move('b', 3)]) {
      assert.ok(heard.some(({ ref, seq }) => ref.id === told.ref.id && seq === told.seq));
    }
  }),

  check('D42: a ref arrives unchanged, whatever its names contain', async (here, there) => {
    const { heard, until } = recordMoves(there);
    const moves = [
      move('a', 1, { agent: '', tenant: '', owner: '' }),
      move('1:', 2, { agent: '', tenant: 'x/y', owner: 'ü|"\n��' }),
      move("a'b", 3, { tenant: '__proto__' }),
    ];
    here.notify(moves);
    here.notify([move('end', 1)]);
    await until('end');
    assert.deepEqual(heard.slice(0, 3), moves);
  }),

  check('D42: notify returns before any listener is called, and the caller may reuse the array', async (here, there) => {
    const { heard, until } = recordMoves(there);
    const moves = [move('a', 1)];
    here.notify(moves);
    assert.deepEqual(heard, []);
    moves.length = 0;
    here.notify([move('end', 1)]);
    await until('end');
    assert.deepEqual(heard[0], move('a', 1));
  }),

  check('D42: a stopped listener receives nothing more; the others do', async (here, there) => {
    const stopped = recordMoves(there);
    stopped.stop();
    stopped.stop();
    const listening = recordMoves(there);
    here.notify([move('a', 1)]);
    await listening.until('a');
    assert.deepEqual(stopped.heard, []);
  }),

  check('D42: many moves at once all arrive', async (here, there) => {
    const { heard, until } = recordMoves(there);
    const moves = Array.from({ length: 1_000 }, (_, index) => move(`task-${index}`, index));
    here.notify(moves);
    await until('task-999');
    assert.deepEqual(heard, moves);
  }),

  check('D42: notifying without listeners, without moves, or on a closed bus is no error', async (here, there) => {
    here.notify([move('a', 1)]);
    const { heard } = recordMoves(there);
    here.notify([]);
    await there.close();
    await there.close();
    there.notify([move('b', 1)]);
    there.listen(() => {})();
    assert.deepEqual(
      heard.filter(({ ref }) => ref.id === 'b'),
      [],
    );
  }),
];
