// Records one run as its caller sees it, reduced to what the judge checks.

/** @typedef {import('@parley/a2a/client').Update} Update */
/** @typedef {import('@parley/a2a').Task} Task */

/**
 * @typedef {object} Observation
 * @property {{ kind: string, seq: number | undefined, recovered: boolean }[]} events one per event of the log: the Task, states, artifacts
 * @property {{ artifactId: string, text: string, anew: boolean }[]} parts
 * @property {string} deltas the text updates of artifacts, joined
 * @property {number} reconnects
 * @property {Task} [task] final state of the task
 * @property {Error} [error] if the run failed
 */

/**
 * @param {AsyncIterable<Update> & { readonly result: Promise<import('@parley/a2a/client').Reply> }} run
 * @param {() => void} [onUpdate]
 * @returns {Promise<Observation>}
 */
export async function observe(run, onUpdate) {
  /** @type {Observation} */
  const seen = { events: [], parts: [], deltas: '', reconnects: 0 };
  try {
    for await (const update of run) {
      note(seen, update);
      onUpdate?.();
    }
    const reply = await run.result;
    if (reply.kind === 'task') seen.task = reply.task;
  } catch (error) {
    seen.error = error instanceof Error ? error : new Error(String(error));
  }
  return seen;
}

/**
 * @param {Observation} seen
 * @param {Update} update
 */
function note(seen, update) {
  const { kind, seq, recovered = false } = update;
  if (kind === 'reconnect') seen.reconnects += 1;
  if (kind === 'text' && update.artifactId !== undefined) seen.deltas += update.delta;
  const last = seen.events.at(-1);
  const isOfTask = seq !== undefined && last?.kind === 'task' && last.seq === seq; // the content of a Task follows it as updates with the same seq
  if (kind === 'task' || ((kind === 'state' || kind === 'artifact') && !isOfTask)) seen.events.push({ kind, seq, recovered });
  if (kind !== 'artifact') return;
  for (const [index, part] of update.parts.entries()) {
    const text = 'text' in part && typeof part.text === 'string' ? part.text : JSON.stringify(part);
    seen.parts.push({ artifactId: update.artifact.artifactId, text, anew: !update.append && index === 0 });
  }
}
