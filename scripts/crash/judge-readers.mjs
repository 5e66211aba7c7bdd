// Whether what readers got is what is in the log: each event that one of them had, and between its first and its last every other.

/** @typedef {import('./evidence.mjs').Evidence} Evidence */
/** @typedef {import('./findings.mjs').Findings} Findings */

const SENT = ['task', 'status', 'artifact'];

/**
 * Answers how many events were acknowledged.
 * @param {import('./world.mjs').World} world
 * @param {ReadonlyMap<string, Evidence>} evidence
 */
export function judgeReaders({ readers, findings }, evidence) {
  let acknowledged = 0;
  for (const reader of readers) {
    if (reader.taskId === undefined) continue;
    acknowledged += reader.seen.size;
    const log = evidence.get(reader.taskId)?.log ?? new Map();
    compare(reader, log, findings);
    for (let count = reader.duplicates; count > 0; count -= 1) findings.add('duplicates in what readers got', reader.taskId);
    for (let count = reader.outOfOrder; count > 0; count -= 1) findings.add('events out of order', reader.taskId);
  }
  return acknowledged;
}

/**
 * @param {import('./task-reader.mjs').TaskReader} reader
 * @param {ReadonlyMap<number, string>} log
 * @param {Findings} findings
 */
function compare({ taskId, seen, from, cursor, policy }, log, findings) {
  for (const [id, bytes] of seen) {
    if (log.get(id) === bytes) continue;
    findings.add('acknowledged events lost', `${policy} ${taskId}, event ${id}: had ${bytes}, the log has ${log.get(id)}`);
  }
  for (const id of log.keys()) {
    if (id > from && id <= cursor && !seen.has(id)) findings.add('gaps in what readers got', `${policy} ${taskId}, event ${id}`);
  }
}

/**
 * Stored logs begin at 1 and have every number; what is sent of them is what the wire gave.
 * @param {ReadonlyMap<string, Evidence>} evidence
 * @param {Findings} findings
 */
export function judgeLogs(evidence, findings) {
  for (const { policy, task, log, entries } of evidence.values()) {
    const hole = entries.findIndex(({ seq }, index) => seq !== index + 1);
    if (entries.length === 0 || hole >= 0) findings.add('holes in the stored logs', `${policy} ${task.id}, at ${hole + 1}`);
    const sent = entries.filter(({ kind }) => SENT.includes(kind));
    if (sent.length === log.size && sent.every(({ seq, json }) => log.get(seq) === json)) continue;
    findings.add('acknowledged events lost', `${policy} ${task.id}: the file has ${sent.length} events, the wire gave ${log.size}`);
  }
}
