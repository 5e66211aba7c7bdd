// Whether each attempt ran once, and what executors saw committed is in the log; and how long tasks were without anybody.

/** @typedef {import('./evidence.mjs').Evidence} Evidence */
/** @typedef {import('./findings.mjs').Findings} Findings */
/** @typedef {import('./ledger.mjs').Line} Line */
/** @typedef {{ taskId: string, attempt: number, how: 'kill' | 'pause', ms: number }} TakeOver */

/**
 * Answers how many chunks executors saw committed.
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
      if (other) findings.add('execute entered twice for one attempt', `${key}: by ${whose(other)} and by ${whose(line)}`, taskId);
      entered.set(key, line);
      continue;
    }
    committed += line.chunks.length;
    const log = logs.get(taskId);
    if (!texts.has(taskId)) texts.set(taskId, log?.entries.map(({ json }) => json).join('\n') ?? '');
    for (const chunk of line.chunks) {
      if (!texts.get(taskId)?.includes(JSON.stringify(chunk)))
        findings.add('events lost', `${whose(line)} saw ${chunk.trim()} committed, it is not in the log`, taskId);
    }
    if (line.what === 'completed' && log?.state !== 'TASK_STATE_COMPLETED') {
      findings.add('events lost', `${whose(line)} saw the end of attempt ${attempt} committed, and the task is ${log?.state}`, taskId);
    }
  }
  return committed;
}

/** @param {Line} line */
function whose({ node, boot, at }) {
  return `node ${node}, life ${boot}, at ${new Date(at).toISOString()}`;
}

/**
 * From the moment that a node was killed or stopped to the next attempt of what it ran, wherever that was entered.
 * @param {Evidence} evidence
 * @returns {TakeOver[]}
 */
export function findTakeOvers({ ledger, logs, nodes }) {
  /** The last entry of each task. @type {Map<string, Line>} */
  const last = new Map();
  /** When the run that was entered last last saw something committed. @type {Map<string, number>} */
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
    if (cause.how === 'pause' && lastSeen > cause.to) continue; // it woke up and went on: something later cut it off
    found.push({ taskId, attempt, how: cause.how, ms: at - cause.from });
  }
  return found;
}

/**
 * Not one that an answer led to: that comes when its caller likes.
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
 * The value that this share of them does not exceed; 0 where there is none.
 * @param {readonly TakeOver[]} takeOvers
 * @param {number} share
 */
export function quantile(takeOvers, share) {
  const sorted = takeOvers.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
