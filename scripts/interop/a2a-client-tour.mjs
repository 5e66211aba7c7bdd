// Calls every method of `A2AClient` of @assistant-ui/react-a2a. The published client and ours must give the same results: each step returns
// what a caller sees, without ids and times.
import assert from 'node:assert/strict';

/** @typedef {import('@assistant-ui/react-a2a').A2AClient} Theirs */
/** @typedef {Pick<Theirs, keyof Theirs>} TourClient the members that both classes have */
/** @typedef {new (options: import('@assistant-ui/react-a2a').A2AClientOptions) => TourClient} TourClientClass */
/** @typedef {{ name: string, A2AClient: TourClientClass, A2AError: new (...given: never[]) => Error }} Traveller */
/** @typedef {import('@assistant-ui/react-a2a').A2ATask} Task */
/** @typedef {import('@assistant-ui/react-a2a').A2AMessage} Message */
/** @typedef {import('@assistant-ui/react-a2a').A2AStreamEvent} Event */

/**
 * @typedef {object} Stop the client and the servers of a step
 * @property {TourClient} demo our server over HTTP+JSON
 * @property {TourClient} sdk the official SDK's server over HTTP+JSON
 * @property {Traveller['A2AError']} A2AError
 */
/** @typedef {{ name: string, run: (stop: Stop) => Promise<unknown> }} Step */

/**
 * @param {Traveller} traveller
 * @param {{ demo: string, sdk: string }} urls
 * @returns {Stop}
 */
export function setOut({ A2AClient, A2AError }, urls) {
  return {
    demo: new A2AClient({ baseUrl: urls.demo }),
    // Its operations have another path than its card.
    sdk: new A2AClient({ baseUrl: urls.sdk, basePath: '/a2a/rest' }),
    A2AError,
  };
}

/** @type {readonly Step[]} */
export const TOUR = [
  { name: 'getAgentCard', run: readsCard },
  { name: 'sendMessage: a task', run: sends },
  { name: 'sendMessage: a direct message', run: sendsForMessage },
  { name: 'sendMessage: returnImmediately, metadata and historyLength', run: sendsAndLeaves },
  { name: 'sendMessage: a question and its reply', run: answers },
  { name: 'sendMessage: data, a file and a picture', run: receives },
  { name: 'streamMessage', run: streams },
  { name: 'streamMessage: a direct message', run: streamsMessage },
  { name: 'streamMessage: canceled after the first event', run: leaves },
  { name: 'getTask: all, some and no history', run: gets },
  { name: 'listTasks: filters and pages', run: lists },
  { name: 'cancelTask', run: cancels },
  { name: 'subscribeToTask', run: subscribes },
  { name: 'signals: aborted before and during a stream', run: aborts },
  { name: 'errors: an unknown task, with code, status and details', run: readsUnknownTask },
  { name: 'errors: a task that has ended', run: readsEndedTask },
  { name: 'errors: an invalid message', run: readsBadRequest },
  { name: 'errors: operations that the server does not support', run: readsUnsupported },
  { name: 'the official server: sendMessage and streamMessage', run: callsSdk },
  { name: 'the official server: getExtendedAgentCard', run: readsExtendedCard },
  { name: 'the official server: push configuration: create, get, list, delete', run: configuresPush },
  { name: 'the official server: errors', run: readsSdkError },
];

/** @param {Stop} stop */
async function readsCard({ demo }) {
  const { skills, supportedInterfaces, ...card } = await demo.getAgentCard();
  assert.equal(card.name, 'Parley demo');
  assert.equal(card.capabilities.streaming, true);
  assert.deepEqual(supportedInterfaces.map(({ protocolBinding }) => protocolBinding).sort(), ['HTTP+JSON', 'JSONRPC']);
  assert.ok(skills.some(({ id }) => id === 'story'));
  return { ...card, skills, supportedInterfaces };
}

/** @param {Stop} stop */
async function sends({ demo }) {
  const task = await sendForTask(demo, 'Any text');
  assert.equal(task.status.state, 'completed');
  assert.deepEqual([task.history?.[0]?.role, task.history?.[0]?.parts], ['user', [{ text: 'Any text' }]]);
  assert.match(textOf(task.artifacts), /“Any text”/);
  return [task.status.state, textOf(task.artifacts), Object.keys(task).sort()];
}

/** @param {Stop} stop */
async function sendsForMessage({ demo }) {
  const message = await demo.sendMessage(say('message'));
  assert.ok('messageId' in message);
  assert.equal(message.role, 'agent');
  assert.ok(message.contextId);
  return [message.role, message.parts];
}

/** @param {Stop} stop */
async function sendsAndLeaves({ demo }) {
  const metadata = { task_state: 'TASK_STATE_X' };
  const message = { ...say('slow 600'), metadata };
  const task = await demo.sendMessage(
    message,
    { returnImmediately: true, historyLength: 1, acceptedOutputModes: ['text/plain'] },
    { trace: 1 },
  );
  assert.ok('status' in task && ['submitted', 'working'].includes(task.status.state));
  const { history } = await demo.cancelTask(task.id);
  assert.deepEqual(history?.[0]?.metadata, metadata);
  return history?.[0]?.parts;
}

/** @param {Stop} stop */
async function answers({ demo }) {
  const asked = await sendForTask(demo, 'question');
  assert.equal(asked.status.state, 'input_required');
  assert.equal(asked.status.message?.role, 'agent');
  const done = await sendForTask(demo, 'Lisbon', { taskId: asked.id, contextId: asked.contextId });
  assert.equal(done.id, asked.id);
  assert.equal(done.status.state, 'completed');
  return [asked.status.message?.parts, done.status.message?.parts, textOf(done.artifacts)];
}

/** @param {Stop} stop */
async function receives({ demo }) {
  const parts = [];
  for (const text of ['data', 'file', 'image']) parts.push((await sendForTask(demo, text)).artifacts?.[0]?.parts[0]);
  const [data, file, picture] = parts;
  assert.deepEqual([file?.filename, file?.mediaType, picture?.mediaType], ['planets.csv', 'text/csv', 'image/png']);
  return [Object.keys(/** @type {object} */ (data?.data)), file, picture];
}

/** @param {Stop} stop */
async function streams({ demo }) {
  const { events, returned } = await collect(demo.streamMessage(say('story')));
  const chunks = events.flatMap((event) => (event.type === 'artifactUpdate' ? [event.event] : []));
  const last = events.at(-1);
  assert.equal(events[0]?.type, 'task');
  assert.ok(chunks.length > 10);
  assert.deepEqual([chunks[0]?.append ?? false, chunks[1]?.append, chunks.at(-1)?.lastChunk], [false, true, true]);
  assert.ok(last?.type === 'statusUpdate' && last.event.status.state === 'completed');
  assert.equal(returned, undefined);
  const { artifacts } = await demo.getTask(chunks[0]?.taskId ?? '');
  const text = textOf(chunks.map(({ artifact }) => artifact));
  assert.equal(textOf(artifacts), text);
  return text;
}

/** @param {Stop} stop */
async function streamsMessage({ demo }) {
  const { events } = await collect(demo.streamMessage(say('message')));
  assert.deepEqual(
    events.map(({ type }) => type),
    ['message'],
  );
  return events.map((event) => event.type === 'message' && [event.message.role, event.message.parts]);
}

/** @param {Stop} stop */
async function leaves({ demo }) {
  for await (const event of demo.streamMessage(say('slow 2'))) {
    assert.equal(event.type, 'task');
    const id = event.type === 'task' ? event.task.id : '';
    // The task continues without its reader.
    const { events } = await collect(demo.subscribeToTask(id));
    const last = events.at(-1);
    return last?.type === 'statusUpdate' ? last.event.status.state : assert.fail('the task did not end');
  }
  return assert.fail('no event arrived');
}

/** @param {Stop} stop */
async function gets({ demo }) {
  const { id } = await sendForTask(demo, 'fail');
  const tasks = [];
  for (const historyLength of [undefined, 1, 0]) tasks.push(await demo.getTask(id, historyLength));
  assert.deepEqual(
    tasks.map(({ history }) => history?.length ?? 0),
    [2, 1, 0],
  );
  assert.deepEqual([...new Set(tasks.map(({ status }) => status.state))], ['failed']);
  return tasks.map(({ status, history }) => [status.message?.parts, history?.map(({ role }) => role)]);
}

/** @param {Stop} stop */
async function lists({ demo }) {
  const contextId = `tour-${crypto.randomUUID()}`;
  for (const text of ['one', 'two', 'reject']) await sendForTask(demo, text, { contextId });
  const whole = await demo.listTasks({ contextId });
  assert.equal(whole.totalSize, 3);
  assert.equal(whole.tasks[0]?.artifacts, undefined);
  const pages = [];
  let pageToken;
  do {
    const page = await demo.listTasks({ contextId, pageSize: 2, pageToken, historyLength: 1, includeArtifacts: true });
    pages.push(page.tasks.map(({ status, history, artifacts }) => [status.state, history?.length ?? 0, artifacts?.length ?? 0]));
    pageToken = page.nextPageToken;
  } while (pageToken !== '');
  const rejected = await demo.listTasks({ contextId, status: 'rejected' });
  assert.deepEqual(
    rejected.tasks.map(({ status }) => status.state),
    ['rejected'],
  );
  const later = await demo.listTasks({ contextId, statusTimestampAfter: '2100-01-01T00:00:00Z' });
  return { pages, sizes: [whole.pageSize, rejected.totalSize, later.totalSize] };
}

/** @param {Stop} stop */
async function cancels({ demo }) {
  const task = await begin(demo, 'slow 600');
  const canceled = await demo.cancelTask(task.id, { reason: 'tired' });
  assert.equal(canceled.id, task.id);
  assert.equal(canceled.status.state, 'canceled');
  return canceled.status.state;
}

/** @param {Stop} stop */
async function subscribes({ demo }) {
  const task = await begin(demo, 'slow 3');
  const { events, returned } = await collect(demo.subscribeToTask(task.id));
  const last = events.at(-1);
  assert.ok(events[0]?.type === 'task' && events[0].task.id === task.id);
  assert.ok(last?.type === 'statusUpdate' && last.event.status.state === 'completed');
  return [returned, textOf((await demo.getTask(task.id)).artifacts)];
}

/** @param {Stop} stop */
async function aborts({ demo }) {
  const before = await caught(demo.getTask('x', undefined, AbortSignal.abort()));
  assert.equal(before.name, 'AbortError');
  const leaving = new AbortController();
  const stream = demo.streamMessage(say('slow 600'), undefined, undefined, leaving.signal);
  const first = await stream.next();
  leaving.abort(new Error('The user left'));
  const middle = await caught(collect(stream));
  assert.equal(middle, leaving.signal.reason);
  assert.ok(first.value.type === 'task');
  await demo.cancelTask(first.value.task.id);
  return [before.name, middle.message];
}

/** @param {Stop} stop */
async function readsUnknownTask({ demo, A2AError }) {
  const error = await failure(A2AError, demo.getTask('no-such-task'));
  assert.deepEqual([error.code, error.status], [404, 'NOT_FOUND']);
  assert.ok(error.details?.some((detail) => detail.reason === 'TASK_NOT_FOUND'));
  const streamed = await failure(A2AError, collect(demo.subscribeToTask('no-such-task')));
  return [error, streamed];
}

/** @param {Stop} stop */
async function readsEndedTask({ demo, A2AError }) {
  const { id } = await sendForTask(demo, 'hello');
  const error = await failure(A2AError, demo.cancelTask(id));
  assert.ok(error.details?.some((detail) => detail.reason === 'TASK_NOT_CANCELABLE'));
  return [error.code, error.status];
}

/** @param {Stop} stop */
async function readsBadRequest({ demo, A2AError }) {
  const error = await failure(A2AError, demo.sendMessage({ ...say('x'), parts: [] }));
  assert.deepEqual([error.code, error.status], [400, 'INVALID_ARGUMENT']);
  assert.ok(error.details && error.details.length > 0);
  return [error.code, error.status];
}

/** @param {Stop} stop */
async function readsUnsupported({ demo, A2AError }) {
  const { id } = await sendForTask(demo, 'hello');
  const errors = [
    await failure(A2AError, demo.createTaskPushNotificationConfig({ taskId: id, url: 'http://127.0.0.1:9/hook' })),
    await failure(A2AError, demo.listTaskPushNotificationConfigs(id)),
    await failure(A2AError, demo.getExtendedAgentCard()),
  ];
  return errors.map(({ code, status, details }) => [code, status, details?.[0]?.reason]);
}

/** @param {Stop} stop */
async function callsSdk({ sdk }) {
  const task = await sendForTask(sdk, 'count 5');
  assert.equal(task.status.state, 'completed');
  const { events } = await collect(sdk.streamMessage(say('count 5')));
  const last = events.at(-1);
  assert.ok(last?.type === 'statusUpdate' && last.event.status.state === 'completed');
  const chunks = events.flatMap((event) => (event.type === 'artifactUpdate' ? [event.event.artifact] : []));
  assert.equal(textOf(chunks), textOf(task.artifacts));
  return [events.map(({ type }) => type), textOf(chunks)];
}

/** @param {Stop} stop */
async function readsExtendedCard({ sdk }) {
  const [card, extended] = [await sdk.getAgentCard(), await sdk.getExtendedAgentCard()];
  assert.deepEqual([card.name, extended.name], ['SDK agent', 'SDK agent, extended']);
  return [card.skills, extended.skills];
}

/** @param {Stop} stop */
async function configuresPush({ sdk, A2AError }) {
  const { id: taskId } = await sendForTask(sdk, 'count 1');
  const made = await sdk.createTaskPushNotificationConfig({ taskId, id: 'hook', url: 'http://127.0.0.1:9/hook', token: 'secret' });
  const got = await sdk.getTaskPushNotificationConfig(taskId, 'hook');
  const { configs } = await sdk.listTaskPushNotificationConfigs(taskId);
  assert.deepEqual(
    [made, got, ...configs].map(({ id, url }) => [id, url]),
    Array(3).fill(['hook', 'http://127.0.0.1:9/hook']),
  );
  assert.equal(await sdk.deleteTaskPushNotificationConfig(taskId, 'hook'), undefined);
  const rest = await sdk.listTaskPushNotificationConfigs(taskId);
  assert.deepEqual(rest.configs, []);
  // Without a task id the call fails, and the message names `taskId`.
  const none = await caught(sdk.createTaskPushNotificationConfig({ url: 'http://127.0.0.1:9/hook' }));
  assert.match(none.message, /taskId/);
  const gone = await failure(A2AError, sdk.getTaskPushNotificationConfig(taskId, 'hook'));
  return [made, got, configs]
    .map((value) => JSON.stringify(value, Object.keys(made).sort()).replaceAll(taskId, 'task'))
    .concat(String(gone.code));
}

/** @param {Stop} stop */
async function readsSdkError({ sdk, A2AError }) {
  const { code, status } = await failure(A2AError, sdk.getTask('no-such-task'));
  return [code, status];
}

/**
 * @param {string} text
 * @param {Partial<Message>} [more]
 * @returns {Message}
 */
function say(text, more = {}) {
  return { messageId: crypto.randomUUID(), role: 'user', parts: [{ text }], ...more };
}

/**
 * @param {TourClient} client
 * @param {string} text
 * @param {Partial<Message>} [more]
 * @returns {Promise<Task>}
 */
async function sendForTask(client, text, more) {
  const result = await client.sendMessage(say(text, more));
  assert.ok('status' in result, 'a task, not a message');
  return result;
}

/**
 * @param {TourClient} client
 * @param {string} text
 * @returns {Promise<Task>}
 */
async function begin(client, text) {
  const result = await client.sendMessage(say(text), { returnImmediately: true });
  assert.ok('status' in result, 'a task, not a message');
  return result;
}

/** @param {AsyncGenerator<Event>} stream */
async function collect(stream) {
  /** @type {Event[]} */
  const events = [];
  for (;;) {
    const step = await stream.next();
    if (step.done) return { events, returned: step.value };
    events.push(step.value);
  }
}

/** @param {readonly import('@assistant-ui/react-a2a').A2AArtifact[]} [artifacts] */
function textOf(artifacts = []) {
  return artifacts.flatMap(({ parts }) => parts.map(({ text }) => text ?? '')).join('');
}

/** @param {Promise<unknown>} promise @returns {Promise<Error>} */
async function caught(promise) {
  return promise.then(
    () => assert.fail('The call must fail'),
    (error) => error,
  );
}

/**
 * The fields of an A2AError that a caller sees.
 * @param {Traveller['A2AError']} A2AError
 * @param {Promise<unknown>} promise
 */
async function failure(A2AError, promise) {
  const error = /** @type {import('@assistant-ui/react-a2a').A2AError} */ (await caught(promise));
  assert.ok(error instanceof A2AError, `expected an A2AError, got ${error}`);
  const { name, message, code, status } = error;
  const said = /** @type {Record<string, unknown>[] | undefined} */ (error.details);
  // Errors contain the id of the request, which differs each time.
  const details = said?.map((detail) => JSON.parse(JSON.stringify(detail, (key, value) => (key === 'requestId' ? 'any' : value))));
  return { name, message, code, status, details };
}
