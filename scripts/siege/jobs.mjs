// The jobs that callers send, and the events that an undisturbed run of them has.

/**
 * `echo` returns a Message, `stream` writes chunks, `ask` does so after a reply. The others are for attackers: `hold` never ends, `wait` asks
 * and never gets a reply, `turn` keeps the task open, `grow` writes a large artifact, `swell` too and then goes on, `store` only keeps the message, `hang` blocks the
 * main thread for good.
 * @typedef {{ kind: 'echo', salt: string }} EchoJob
 * @typedef {{ kind: 'stream', salt: string, chunks: number, pauseMs: number }} StreamJob
 * @typedef {{ kind: 'ask', salt: string, chunks: number, pauseMs: number }} AskJob
 * @typedef {{ kind: 'grow', bytes: number }} GrowJob
 * @typedef {{ kind: 'swell', bytes: number }} SwellJob
 * @typedef {{ kind: 'hold' | 'wait' | 'turn' | 'store' | 'hang' }} BareJob
 * @typedef {EchoJob | StreamJob | AskJob | GrowJob | SwellJob | BareJob} Job
 */

export const ARTIFACT = 'answer';

/**
 * @param {string} salt
 * @param {number} index
 */
export function chunkText(salt, index) {
  return `${salt} #${index}\n`;
}

/**
 * The body of a send, with a new message id.
 * @param {Job} job
 * @param {{ taskId?: string, returnImmediately?: boolean, historyLength?: number, extra?: object[], metadata?: object }} [more] `extra`: further parts
 */
export function bodyOf(job, { taskId, returnImmediately = false, historyLength, extra = [], metadata } = {}) {
  const parts = [{ text: JSON.stringify(job) }, ...extra];
  const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts, ...(taskId && { taskId }), ...(metadata && { metadata }) };
  return { message, configuration: { returnImmediately, ...(historyLength !== undefined && { historyLength }) } };
}
