// The cases of every peer, and what a client must report for each of them.
import assert from 'node:assert/strict';

/** @typedef {typeof CASES[number]} CaseName */

export const CASES = /** @type {const} */ (['discovery', 'send', 'stream', 'cancel', 'question', 'error', 'receive file', 'send file']);

/**
 * What the client of a framework reports about a case. The programs in `peers/clients` print it.
 * @typedef {object} Report
 * @property {string} [name] of the agent, from its card
 * @property {string} [text] the answer
 * @property {string[]} [chunks] of a stream
 * @property {string} [question] that the agent asked
 * @property {number} [tasks] how many tasks the question and the answer belong to
 * @property {string} [state] of the task at the end
 * @property {string} [error] message or class of an error
 * @property {string} [finishReason] in the terms of the AI SDK
 * @property {string} [mediaType] of the received file
 * @property {string} [content] of the received file
 */

/** @type {Record<CaseName, (report: Report) => void>} */
export const CHECKS = {
  discovery: ({ name }) => assert.equal(name, 'interop_agent'),
  send: ({ text, state = 'completed' }) => assert.deepEqual([text, state], ['You said: hello', 'completed']),
  stream({ chunks = [], text, state = 'completed' }) {
    assert.deepEqual([text, state], ['one two three', 'completed']);
    assert.ok(chunks.length >= 3, `expected a chunk for each word, got ${JSON.stringify(chunks)}`);
  },
  cancel: ({ state }) => assert.equal(state, 'canceled'),
  question({ question, text, tasks, state = 'completed' }) {
    assert.deepEqual([question, text, tasks, state], ['Which city?', 'A room in Lisbon.', 1, 'completed']);
  },
  error({ error, finishReason, state = 'failed' }) {
    assert.equal(state, 'failed');
    assert.match(error ?? finishReason ?? '', /failed on purpose|TaskNotFound|^error$/);
  },
  'receive file': ({ mediaType, content }) => assert.deepEqual([mediaType, content], ['text/plain', 'Hello file']),
  'send file': ({ text }) => assert.equal(text, 'Received 10 bytes of text/plain'),
};
