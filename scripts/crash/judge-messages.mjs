// Checks that each accepted message is stored once in its task and executed as one turn.

/** @typedef {import('./evidence.mjs').Evidence} Evidence */
/** @typedef {import('./evidence.mjs').Entered} Entered */
/** @typedef {import('./world.mjs').Send} Send */
/** @typedef {import('./findings.mjs').Findings} Findings */

/**
 * @param {import('./world.mjs').World} world
 * @param {ReadonlyMap<string, Evidence>} evidence
 * @param {readonly Entered[]} entered
 */
export function judgeMessages({ stories, findings }, evidence, entered) {
  const byMessage = groupByMessage(entered);
  for (const { kind, policy, sends } of stories) {
    for (const send of sends) {
      const runs = byMessage.get(send.key) ?? [];
      judgeRuns(send, runs, kind !== 'question', findings);
      const found = send.taskId === undefined ? undefined : evidence.get(send.taskId);
      if (found) judgeTaken(send, found, runs.length, findings);
      else if (send.accepted && kind !== 'reply')
        findings.add('accepted messages not stored exactly once', `${policy} ${send.key}: no task`);
    }
  }
}

/**
 * The same attempt never starts twice. With `fail` a task never restarts, unless it waited for its caller. A send that had not created a
 * task yet may run again when it is repeated.
 * @param {Send} send
 * @param {readonly Entered[]} runs
 * @param {boolean} isOnce
 * @param {Findings} findings
 */
function judgeRuns({ policy, key }, runs, isOnce, findings) {
  const attempts = new Set(runs.map(({ attempt }) => attempt));
  const tasks = new Set(runs.map(({ taskId }) => taskId));
  const isTwice = attempts.size < runs.length || (policy === 'fail' && isOnce && tasks.size < runs.length);
  if (isTwice) findings.add('messages executed twice', `${policy} ${key}: ${JSON.stringify(runs)}`);
}

/**
 * @param {Send} send
 * @param {Evidence} evidence
 * @param {number} runs
 * @param {Findings} findings
 */
function judgeTaken({ policy, key, job, accepted }, { task, entries }, runs, findings) {
  const inputs = entries.filter(({ kind, json }) => kind === 'input' && JSON.parse(json).input.request.message.messageId === key);
  // A task that ends refuses the messages in its inbox: with `fail`, a kill may end the task while an accepted message waits.
  const mayBeRefused = policy === 'fail' && task.status.state === 'TASK_STATE_FAILED';
  const isRight = accepted ? inputs.length === 1 || (inputs.length === 0 && mayBeRefused) : inputs.length === 0;
  const isExecuted = !accepted || job === undefined || runs > 0 || mayBeRefused;
  if (isRight && isExecuted) return;
  const words = `${accepted ? 'accepted' : 'refused'}, stored ${inputs.length} times, started ${runs} times`;
  findings.add('accepted messages not stored exactly once', `${policy} ${task.id} ${key}: ${words}`);
}

/** @param {readonly Entered[]} entered */
function groupByMessage(entered) {
  /** @type {Map<string, Entered[]>} */
  const groups = new Map();
  for (const line of entered) groups.set(line.messageId, [...(groups.get(line.messageId) ?? []), line]);
  return groups;
}
