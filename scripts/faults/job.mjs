// The job of every run: a stream of 50 events, including the Task. It is the same for our agents and for the official SDK's, so that one
// judge can check both.

/**
 * @typedef {{ do: 'working' | 'complete', text: string }} StatusStep
 * @typedef {{ do: 'chunk', artifactId: string, text: string, first: boolean }} ChunkStep
 * @typedef {StatusStep | ChunkStep} Step
 */

/**
 * The speed of the agent. `pace` is 'burst', 'turn' (one step per event-loop iteration), milliseconds between steps, or 'told' (one step
 * per external command).
 */
/** @typedef {{ pace: 'burst' | 'turn' | 'told' | number }} Job */

const CHUNKS = 46;

/** @type {readonly Step[]} */
export const STEPS = [
  { do: 'working', text: 'On it' },
  ...chunks(0, CHUNKS / 2),
  { do: 'working', text: 'Half-way' },
  ...chunks(CHUNKS / 2, CHUNKS),
  { do: 'complete', text: 'That is all' },
];

/** Including the Task. */
export const EVENTS = STEPS.length + 1;

/** The final content of the artifacts. @type {ReadonlyMap<string, readonly string[]>} */
export const PARTS = new Map(
  ['report', 'notes'].map((id) => [id, STEPS.flatMap((step) => (step.do === 'chunk' && step.artifactId === id ? [step.text] : []))]),
);

/**
 * Chunks of two artifacts, alternating. Some texts are equal, so that events cannot be identified by content. Some contain multi-byte
 * characters, so that a cut can split one.
 * @param {number} from
 * @param {number} to
 * @returns {ChunkStep[]}
 */
function chunks(from, to) {
  return Array.from({ length: to - from }, (_, offset) => {
    const index = from + offset;
    const text = index % 5 === 3 ? 'and again, ' : index % 7 === 0 ? `№ ${index} grüßt 🌍, ` : `${index}, `;
    return { do: 'chunk', artifactId: index % 3 === 2 ? 'notes' : 'report', text, first: index === 0 || index === 2 };
  });
}

/**
 * Waits before a step.
 * @param {Job['pace']} pace
 * @param {AbortSignal} [signal]
 */
export async function keepPace(pace, signal) {
  if (pace === 'turn') await new Promise((resolve) => setImmediate(resolve));
  if (typeof pace !== 'number') return;
  await new Promise((resolve) => setTimeout(resolve, pace));
  signal?.throwIfAborted();
}
