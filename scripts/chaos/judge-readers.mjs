// Checks that readers received what the log contains: each event once, in order, without a gap, as the same or equivalent JSON.
import { isDeepStrictEqual } from 'node:util';
import { taskJson, toTaskText } from '@parley/a2a/protocol';
import { ARTIFACT } from './jobs.mjs';
import { foldLog, placeOf } from './logs.mjs';
import { LOOK } from './reader.mjs';

/** @typedef {import('./evidence.mjs').Evidence} Evidence */
/** @typedef {import('./findings.mjs').Findings} Findings */
/** @typedef {import('./logs.mjs').Log} Log */
/** @typedef {import('./reader.mjs').Seen} Seen */

const SENT = ['task', 'status', 'artifact'];
/** The log contains one Task, as its second entry. Any other Task is a snapshot of all entries up to its seq. */
const TASK_SEQ = 2;

/**
 * Returns the number of events that readers received.
 * @param {Evidence} evidence
 * @param {Findings} findings
 */
export function judgeReaders({ stories, logs }, findings) {
  let events = 0;
  for (const { salt, taskId, readers } of stories) {
    for (const [index, seen] of readers.entries()) {
      events += seen.events.length;
      const log = taskId === undefined ? undefined : logs.get(taskId);
      const name = `${salt}, reader ${index}`;
      if (log) judgeReader({ name, seen, log, findings });
      else if (seen.events.length > 0)
        findings.add('events lost', `${name}: received ${seen.events.length} events of a task that is not in the store`, taskId);
    }
  }
  return events;
}

/** @typedef {{ name: string, seen: Seen, log: Log, findings: Findings }} Case */

/** @param {Case} one */
function judgeReader(one) {
  const { name, seen, log, findings } = one;
  const had = new Set();
  let cursor = seen.after;
  for (const [seq, json] of seen.events) {
    if (seq === LOOK) {
      cursor = judgeLook(one, cursor, json);
      continue;
    }
    const isSnapshot = seq !== TASK_SEQ && json.startsWith('{"task":');
    if (isSnapshot ? seq < cursor : seq <= cursor) {
      findings.add(had.has(seq) ? 'events duplicated' : 'events out of order', `${name}: event ${seq} after ${cursor}`, log.taskId);
    }
    if (isSnapshot) judgeSnapshot(one, seq, json);
    else judgeEvent(one, cursor, seq, json);
    had.add(seq);
    cursor = Math.max(cursor, seq);
  }
  for (let count = seen.outOfOrder; count > 0; count -= 1) {
    findings.add('events out of order', `${name}: in the updates of its run`, log.taskId);
  }
  if (seen.isThrough) judgeEnd(one, cursor);
}

/**
 * Checks that the event is in the log, and that the reader skipped no event before it.
 * @param {Case} one
 * @param {number} cursor
 * @param {number} seq
 * @param {string} json
 */
function judgeEvent({ name, log, findings }, cursor, seq, json) {
  for (const { seq: missed } of log.entries.slice(cursor, seq - 1).filter(isSent)) {
    findings.add('events lost', `${name}: never received event ${missed}`, log.taskId);
  }
  const stored = log.entries[seq - 1];
  if (stored?.seq === seq && (stored.json === json || isDeepStrictEqual(JSON.parse(stored.json), JSON.parse(json)))) return;
  findings.add('events lost', `${name}: received event ${seq} as ${json}, the log has ${stored?.json}`, log.taskId);
}

/** @param {import('./logs.mjs').Entry} entry */
function isSent({ kind }) {
  return SENT.includes(kind);
}

/**
 * A polled task has no seq. Returns the first position after the cursor that matches it.
 * @param {Case} one
 * @param {number} cursor
 * @param {string} json
 */
function judgeLook({ name, log, findings }, cursor, json) {
  const { status, artifacts = [] } = JSON.parse(json).task;
  const seq = placeOf(log, { status, artifacts }, cursor);
  if (seq !== undefined) return seq;
  findings.add('events lost', `${name}: polled a task that matches no position of the log after ${cursor}: ${json}`, log.taskId);
  return cursor;
}

/**
 * @param {Case} one
 * @param {number} seq
 * @param {string} json
 */
function judgeSnapshot({ name, log, findings }, seq, json) {
  const draft = foldLog(log, seq);
  const expected = draft && JSON.parse(taskJson(toTaskText(draft)));
  if (isDeepStrictEqual(JSON.parse(json).task, expected)) return;
  findings.add('events lost', `${name}: the snapshot at seq ${seq} was ${json}, the log folds to ${JSON.stringify(expected)}`, log.taskId);
}

/**
 * @param {Case} one
 * @param {number} cursor
 */
function judgeEnd({ name, seen, log, findings }, cursor) {
  const last = log.entries.findLast(isSent)?.seq ?? 0;
  if (cursor < last) findings.add('events lost', `${name}: ended at event ${cursor}, the log at ${last}`, log.taskId);
  const artifact = foldLog(log)?.artifacts.find(({ artifactId }) => artifactId === ARTIFACT);
  const text = artifact?.parts.map((part) => part.text ?? '').join('') ?? '';
  if (text === seen.text) return;
  findings.add(
    'events out of order',
    `${name}: received the text ${JSON.stringify(seen.text)}, the log folds to ${JSON.stringify(text)}`,
    log.taskId,
  );
}
