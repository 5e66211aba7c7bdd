// Checks that each attempt ran once and that the log has each chunk whose commit an executor saw.

/** @typedef {import('./evidence.mjs').Evidence} Evidence */
/** @typedef {import('./findings.mjs').Findings} Findings */
/** @typedef {import('./ledger.mjs').Line} Line */

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
