// Lets two measurements alternate round by round, so that a busy moment of the machine affects both. Only one of them works at a time.

/** @typedef {<T>(round: () => Promise<T>) => Promise<T>} Turn runs one round when it is its turn */

/**
 * Runs both to their end. The first has the first turn. When one has ended, the other continues alone.
 * @template T
 * @param {readonly [first: (turn: Turn) => Promise<T>, second: (turn: Turn) => Promise<T>]} runs
 * @returns {Promise<[T, T]>}
 */
export async function alternate([first, second]) {
  const sides = [createSide(), createSide()];
  const [one, two] = /** @type {[Side, Side]} */ (sides);
  one.open();
  const results = await Promise.allSettled([take(first, one, two), take(second, two, one)]);
  const [a, b] = results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
  return [/** @type {T} */ (a), /** @type {T} */ (b)];
}

/** @typedef {ReturnType<typeof createSide>} Side */

/** The gate of one measurement: open when it is its turn. */
function createSide() {
  /** @type {() => void} */
  let resolve = () => {};
  /** @type {Promise<void>} */
  let opened = new Promise((done) => (resolve = done));
  return {
    hasEnded: false,
    open: () => resolve(),
    pass: () => opened,
    shut() {
      opened = new Promise((done) => (resolve = done));
    },
  };
}

/**
 * @template T
 * @param {(turn: Turn) => Promise<T>} run
 * @param {Side} own
 * @param {Side} other
 */
async function take(run, own, other) {
  try {
    return await run(async (round) => {
      await own.pass();
      try {
        return await round();
      } finally {
        if (!other.hasEnded) {
          own.shut();
          other.open();
        }
      }
    });
  } finally {
    own.hasEnded = true;
    other.open();
  }
}
