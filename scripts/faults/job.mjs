// The work that every run asks for: with the Task in front it makes a stream of 50 events. The same for our agents and for the official
// SDK's, so that one judge can look at both.

/**
 * @typedef {{ do: 'working' | 'complete', text: string }} StatusStep
 * @typedef {{ do: 'chunk', artifactId: string, text: string, first: boolean }} ChunkStep
 * @typedef {StatusStep | ChunkStep} Step
 */

/** How the agent goes about it: `pace` is 'burst', a turn of the event loop or milliseconds between steps, or a word per step from outside. */
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

/** With the Task. */
export const EVENTS = STEPS.length + 1;

/** What the artifacts hold in the end. @type {ReadonlyMap<string, readonly string[]>} */
export const PARTS = new Map(
  ['report', 'notes'].map((id) => [id, STEPS.flatMap((step) => (step.do === 'chunk' && step.artifactId === id ? [step.text] : []))]),
);

/**
 * Two artifacts take turns. Some texts are the same, so that nobody can tell events by their content; some have letters of several bytes,
 * so that a cut can go through one.
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
 * What one step waits for.
 * @param {Job['pace']} pace
 * @param {AbortSignal} [signal]
 */
export async function keepPace(pace, signal) {
  if (pace === 'turn') await new Promise((resolve) => setImmediate(resolve));
  if (typeof pace !== 'number') return;
  await new Promise((resolve) => setTimeout(resolve, pace));
  signal?.throwIfAborted();
}
