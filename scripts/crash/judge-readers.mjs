// Checks that readers received what the log contains: the same bytes for each event, and no gap between their first and last event.

/** @typedef {import('./evidence.mjs').Evidence} Evidence */
/** @typedef {import('./findings.mjs').Findings} Findings */

const SENT = ['task', 'status', 'artifact'];

/**
 * Returns the number of acknowledged events.
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
    for (let count = reader.duplicates; count > 0; count -= 1) findings.add('duplicates in the events of readers', reader.taskId);
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
    findings.add('acknowledged events lost', `${policy} ${taskId}, event ${id}: the reader has ${bytes}, the log has ${log.get(id)}`);
  }
  for (const id of log.keys()) {
    if (id > from && id <= cursor && !seen.has(id)) findings.add('gaps in the events of readers', `${policy} ${taskId}, event ${id}`);
  }
}

/**
 * Checks that stored logs start at 1 without a gap, and that the events for readers equal those from the wire.
 * @param {ReadonlyMap<string, Evidence>} evidence
 * @param {Findings} findings
 */
export function judgeLogs(evidence, findings) {
  for (const { policy, task, log, entries } of evidence.values()) {
    const hole = entries.findIndex(({ seq }, index) => seq !== index + 1);
    if (entries.length === 0 || hole >= 0) findings.add('gaps in the stored logs', `${policy} ${task.id}, at ${hole + 1}`);
    const sent = entries.filter(({ kind }) => SENT.includes(kind));
    if (sent.length === log.size && sent.every(({ seq, json }) => log.get(seq) === json)) continue;
    findings.add('acknowledged events lost', `${policy} ${task.id}: the file has ${sent.length} events, the wire delivered ${log.size}`);
  }
}
