// Checks that each attempt ran once and that the log has each chunk whose commit an executor saw. Measures the delay of each take-over.

/** @typedef {import('./evidence.mjs').Evidence} Evidence */
/** @typedef {import('./findings.mjs').Findings} Findings */
/** @typedef {import('./ledger.mjs').Line} Line */
/** @typedef {{ taskId: string, attempt: number, how: 'kill' | 'pause', ms: number }} TakeOver */

/**
 * Returns the number of chunks whose commit executors saw.
 * @param {Evidence} evidence
 * @param {Findings} findings
 */
export function judgeRuns({ ledger, logs }, findings) {
  let committed = 0;
  const entered = new Map();
  /** @type {Map<string, string>} */
  const texts = new Map();
  for (const line of ledger) {
    const { taskId, attempt } = line;
    if (line.what === 'entered') {
      const key = `${taskId} ${attempt}`;
      const other = entered.get(key);
      if (other) findings.add('execute called twice for one attempt', `${key}: by ${whose(other)} and by ${whose(line)}`, taskId);
      entered.set(key, line);
      continue;
    }
    committed += line.chunks.length;
    const log = logs.get(taskId);
    if (!texts.has(taskId)) texts.set(taskId, log?.entries.map(({ json }) => json).join('\n') ?? '');
    for (const chunk of line.chunks) {
      if (!texts.get(taskId)?.includes(JSON.stringify(chunk)))
        findings.add('events lost', `${whose(line)} saw the commit of ${chunk.trim()}, but it is not in the log`, taskId);
    }
    if (line.what === 'completed' && log?.state !== 'TASK_STATE_COMPLETED') {
      findings.add('events lost', `${whose(line)} saw the commit of the end of attempt ${attempt}, but the task is ${log?.state}`, taskId);
    }
  }
  return committed;
}

/** @param {Line} line */
function whose({ node, boot, at }) {
  return `node ${node}, boot ${boot}, at ${new Date(at).toISOString()}`;
}

/**
 * Measures from the time a node was killed or paused to the next attempt of each of its tasks, on any node.
 * @param {Evidence} evidence
 * @returns {TakeOver[]}
 */
export function findTakeOvers({ ledger, logs, nodes }) {
  /** The last `entered` line of each task. @type {Map<string, Line>} */
  const last = new Map();
  /** When the latest attempt of each task last saw a commit. @type {Map<string, number>} */
  const wentOn = new Map();
  /** @type {TakeOver[]} */
  const found = [];
  for (const line of ledger) {
    const { taskId, attempt, at } = line;
    const before = last.get(taskId);
    if (line.what !== 'entered') {
      if (before?.node === line.node && before.boot === line.boot) wentOn.set(taskId, at);
      continue;
    }
    const lastSeen = wentOn.get(taskId) ?? 0;
    last.set(taskId, line);
    wentOn.delete(taskId);
    if (before === undefined || !isAfterCrash(logs.get(taskId), attempt)) continue;
    const absences = nodes.find(({ name }) => name === before.node)?.absences ?? [];
    const cause = absences.findLast(({ boot, from }) => boot === before.boot && from >= before.at && from <= at);
    if (cause === undefined || cause.how === 'drain') continue;
    if (cause.how === 'pause' && lastSeen > cause.to) continue; // the node continued after the pause; a later event interrupted the run
    found.push({ taskId, attempt, how: cause.how, ms: at - cause.from });
  }
  return found;
}

/**
 * Excludes attempts caused by a reply: their time depends on the caller.
 * @param {import('./logs.mjs').Log | undefined} log
 * @param {number} attempt
 */
function isAfterCrash(log, attempt) {
  return log?.entries.some(({ kind, json }) => {
    if (kind !== 'note') return false;
    const { note } = JSON.parse(json);
    return note.kind === 'attempt' && note.attempt === attempt && note.after === 'crash';
  });
}

/**
 * The value that this share of take-overs does not exceed; 0 if there are none.
 * @param {readonly TakeOver[]} takeOvers
 * @param {number} share
 */
export function quantile(takeOvers, share) {
  const sorted = takeOvers.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
