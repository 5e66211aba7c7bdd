// One case for each use of an agent of the official SDK 0.3.14 by our client, over each binding.
import assert from 'node:assert/strict';
import { A2ATaskFailedError, A2ATaskRejectedError } from '@parley/a2a';
import { createClient } from '@parley/a2a/client';
import { COMMON_CASES, reach, refused } from '../our-client-cases.mjs';
import { PARTS, PARTS_OVER_REST } from './parts.mjs';
import { EXTENSION, OLD_CARD_PATH } from './sdk-agent.mjs';

/** @typedef {import('@parley/a2a/client').Client} Client */

/**
 * @typedef {object} Urls of agents of the SDK
 * @property {string} streaming
 * @property {string} calm without streaming
 * @property {string} old with its card at the path before 0.3
 */
/**
 * @typedef {object} Target
 * @property {'JSONRPC' | 'HTTP+JSON'} binding
 * @property {Client} client
 * @property {Client} calm
 * @property {Urls} urls
 * @property {(options: import('@parley/a2a/client').ClientOptions, url?: string) => Client} create a client with options of its own
 */
/** @typedef {{ name: string, run: (target: Target) => Promise<void> }} Case */

/**
 * Created for each case, so that cases do not share a conversation.
 * @param {Target['binding']} binding
 * @param {Urls} urls
 * @returns {Target}
 */
export function reachV03(binding, urls) {
  const prefer = binding === 'JSONRPC' ? 'jsonrpc' : 'rest';
  const create = (/** @type {object} */ options, url = urls.streaming) => createClient(url, { prefer, ...options });
  return { binding, urls, create, ...reach(binding, urls) };
}

/** @type {readonly Case[]} */
const V03_CASES = [
  { name: 'D50: the interfaces of a 0.3 card have the version 0.3', run: readsInterfaces },
  { name: 'D50: a card at the path before 0.3', run: readsOldPath },
  { name: 'D50: failed and rejected tasks are errors with the whole task', run: readsFailures },
  { name: 'D50: a question with final: true', run: answersFinalQuestion },
  { name: 'D50: the same with polling', run: answersFinalQuestionByPolling },
  { name: 'D50: a stream that begins with a status', run: readsBareStream },
  { name: 'D50: files and data arrive', run: receivesParts },
  { name: 'D50: files and data return as they were sent', run: echoesParts },
  { name: 'D50: the version and the extensions in the headers', run: sendsHeaders },
  { name: 'D50: errors: unknown task, ended task, bad parameters', run: readsErrors },
  { name: 'D50: errors of a stream: at its start and later', run: readsStreamErrors },
  { name: 'D50: list is refused before anything is sent', run: refusesList },
];

export const OUR_V03_CASES = [
  ...COMMON_CASES.map(({ name, run }) => ({
    name: `D50: ${name.replace(/^[A-Z]\d+: /, '')}`,
    run: (/** @type {Target} */ target) => run(target),
  })),
  ...V03_CASES,
];

/** @param {Target} target */
async function readsInterfaces({ client }) {
  const { supportedInterfaces = [] } = await client.card();
  assert.deepEqual(
    supportedInterfaces.map(({ protocolBinding, protocolVersion }) => [protocolBinding, protocolVersion?.slice(0, 3)]),
    [
      ['JSONRPC', '0.3'],
      ['HTTP+JSON', '0.3'],
    ],
  );
}

/** @param {Target} target */
async function readsOldPath({ create, urls }) {
  const reply = await create({ cardPath: OLD_CARD_PATH }, urls.old).send('count 3');
  assert.equal(reply.text, '1 2 3 ');
}

/** @param {Target} target */
async function readsFailures({ client, calm }) {
  for (const one of [client, calm]) {
    const failed = await one.run('fail').result.catch((error) => error);
    assert.ok(failed instanceof A2ATaskFailedError, String(failed));
    assert.equal(failed.task.status.message?.parts[0]?.text, 'It did not work');
    const rejected = await one.run('reject').result.catch((error) => error);
    assert.ok(rejected instanceof A2ATaskRejectedError, String(rejected));
  }
}

/** @param {Target} target */
async function answersFinalQuestion({ client }) {
  assert.equal((await client.run('ask final', { onInputRequired: () => 'Ada' }).result).text, 'Hello Ada');
}

/** @param {Target} target */
async function answersFinalQuestionByPolling({ calm }) {
  assert.equal((await calm.run('ask final', { onInputRequired: () => 'Ada' }).result).text, 'Hello Ada');
}

/** @param {Target} target */
async function readsBareStream({ client }) {
  const run = client.run('bare');
  const states = [];
  for await (const update of run) if (update.kind === 'state') states.push(update.state);
  assert.deepEqual([states.at(-1), (await run.result).text], ['TASK_STATE_COMPLETED', '1 2 3 ']);
}

/** @param {Target} target */
async function receivesParts({ binding, client }) {
  const { artifacts } = await client.run('parts').result;
  assert.deepEqual(artifacts[0]?.parts, binding === 'JSONRPC' ? PARTS : PARTS_OVER_REST);
}

/** @param {Target} target */
async function echoesParts({ binding, client }) {
  const text = { text: 'echo' };
  const { artifacts } = await client.run([text, ...PARTS]).result;
  assert.deepEqual(artifacts[0]?.parts, [text, ...(binding === 'JSONRPC' ? PARTS : PARTS_OVER_REST)]);
}

/** @param {Target} target */
async function sendsHeaders({ client, calm }) {
  for (const [one, accept] of /** @type {const} */ ([
    [client, 'text/event-stream'],
    [calm, 'application/json'],
  ])) {
    /** @type {(readonly string[])[]} */
    const activated = [];
    const onExtensions = (/** @type {readonly string[]} */ uris) => void activated.push(uris);
    const { artifacts } = await one.run('headers', { extensions: [EXTENSION], onExtensions }).result;
    const headers = /** @type {any} */ (artifacts[0]?.parts[0]?.data);
    assert.deepEqual([headers.version, headers.extensions], ['0.3', EXTENSION]);
    assert.ok(headers.accept.includes(accept), headers.accept);
    assert.deepEqual(activated[0], [EXTENSION]);
  }
}

/** @param {Target} target */
async function readsErrors({ client }) {
  await refused(client.getTask({ id: 'no-such-task' }), 'TASK_NOT_FOUND');
  await refused(client.cancelTask({ id: 'no-such-task' }), 'TASK_NOT_FOUND');
  await refused(client.send('count 1', { taskId: 'no-such-task' }), 'TASK_NOT_FOUND');
  const reply = await client.send('count 1');
  assert.ok(reply.kind === 'task');
  await refused(client.send('more', { taskId: reply.taskId }), 'INVALID_REQUEST');
  await refused(client.cancelTask({ id: reply.taskId }), 'TASK_NOT_CANCELABLE');
  // Over JSON-RPC for both bindings. The SDK checks no other parameters.
  await refused(client.call('tasks/get', ['no object']), 'INVALID_PARAMS');
  await refused(client.call('dance/forMe', {}), 'METHOD_NOT_FOUND');
}

/** @param {Target} target */
async function readsStreamErrors({ binding, create }) {
  const client = create({ retry: false });
  // Over HTTP+JSON, the SDK replaces each error at the start of a stream by an internal error.
  const reason = binding === 'JSONRPC' ? 'TASK_NOT_FOUND' : 'INTERNAL_ERROR';
  await refused(collect(client.subscribeToTask({ id: 'no-such-task' })), reason);
  const message = { messageId: crypto.randomUUID(), role: /** @type {const} */ ('ROLE_USER'), parts: [{ text: 'break' }] };
  await refused(collect(client.sendStreamingMessage({ message })), 'INTERNAL_ERROR');
}

/** @param {AsyncIterable<unknown>} stream */
async function collect(stream) {
  for await (const _event of stream);
}

/** @param {Target} target */
async function refusesList({ create }) {
  /** @type {string[]} */
  const sent = [];
  const client = create({
    fetch: (/** @type {Parameters<typeof fetch>} */ ...request) => {
      sent.push(new URL(request[0] instanceof Request ? request[0].url : request[0]).pathname);
      return fetch(...request);
    },
  });
  await refused(client.listTasks({}), 'UNSUPPORTED_OPERATION');
  await refused(client.tasks()[Symbol.asyncIterator]().next(), 'UNSUPPORTED_OPERATION');
  assert.deepEqual([...new Set(sent)], ['/.well-known/agent-card.json']);
}
