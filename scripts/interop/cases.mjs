// One case for each use of our agents by the official client. The id in front of a name is the row or decision that the case proves.
import assert from 'node:assert/strict';
import { ERROR_CASES } from './error-cases.mjs';
import { as, cancelTask, collect, getTask, listTasks, sendForMessage, sendForTask, textOf, toRequest, unchecked } from './target.mjs';

/** @typedef {import('./target.mjs').Target} Target */
/** @typedef {{ name: string, run: (target: Target) => Promise<void> }} Case */

/** @type {readonly Case[]} */
const GOOD_CASES = [
  { name: 'card discovery selects the binding', run: discoversCard },
  { name: 'P41: send returns the finished task', run: sendsForTask },
  { name: 'send returns a direct message', run: sendsForMessage },
  { name: 'P42: returnImmediately returns while the task runs', run: returnsImmediately },
  { name: 'a file arrives byte for byte', run: receivesFile },
  { name: 'data arrives unchanged', run: receivesData },
  { name: 'D3: a stream starts with the task and ends when the task ends', run: streams },
  { name: 'a stream of one message', run: streamsMessage },
  { name: 'P46: get, with full, partial and no history', run: gets },
  { name: 'P47: list returns all pages, newest first', run: lists },
  { name: 'P35: cancel ends a running task and its streams', run: cancels },
  { name: 'D4: subscribe starts with the task and continues with its events', run: subscribes },
  { name: 'P33: a reader that disconnects does not stop the task', run: leaves },
  { name: 'INPUT_REQUIRED, a reply, and the stream continues', run: answersQuestion },
  { name: 'P5: AUTH_REQUIRED in band', run: authorizes },
  { name: 'D22: a second task in the same conversation', run: continuesContext },
  { name: 'P37: a waiting task can be canceled', run: cancelsWaiting },
  { name: 'D18: a failed task gives its reason and the retry delay', run: readsFailure },
  { name: 'a rejected task', run: readsRejection },
  { name: 'the extended card for a known caller', run: readsExtendedCard },
  { name: 'D31: an authenticated caller with the required extension', run: callsSecondAgent },
];

export const CASES = [...GOOD_CASES, ...ERROR_CASES];

/** @param {Target} target */
async function discoversCard({ binding, demo }) {
  const card = await demo.getAgentCard();
  assert.equal(demo.transport.protocolName, binding);
  assert.equal(demo.protocolVersion, '1.0');
  assert.equal(card.name, 'Parley demo');
  assert.equal(card.capabilities?.streaming, true);
  assert.deepEqual(
    card.capabilities?.extensions.map(({ uri }) => uri),
    ['urn:parley:a2a:log:v1'],
  );
  assert.ok(card.skills.some(({ id }) => id === 'story'));
}

/** @param {Target} target */
async function sendsForTask({ demo }) {
  const task = await sendForTask(demo, { text: 'Any text' });
  assert.equal(task.status.state, 'TASK_STATE_COMPLETED');
  assert.match(textOf(task.artifacts, 'answer'), /“Any text”/);
  assert.equal(task.history[0].parts[0].text, 'Any text');
}

/** @param {Target} target */
async function sendsForMessage({ demo }) {
  const message = await sendForMessage(demo, { text: 'message' });
  assert.equal(message.role, 'ROLE_AGENT');
  assert.ok(message.contextId);
}

/** @param {Target} target */
async function returnsImmediately({ demo }) {
  const task = await sendForTask(demo, { text: 'slow 5', returnImmediately: true });
  assert.match(task.status.state, /SUBMITTED|WORKING/);
  await cancelTask(demo, task.id);
}

/** @param {Target} target */
async function receivesFile({ demo }) {
  const result = await demo.sendMessage(toRequest({ text: 'file' }));
  const part = 'artifacts' in result ? result.artifacts[0]?.parts[0] : undefined;
  assert.equal(part?.filename, 'planets.csv');
  assert.equal(part?.mediaType, 'text/csv');
  assert.ok(part.content?.$case === 'raw');
  assert.match(Buffer.from(part.content.value).toString(), /^planet,moons,.*\n(.+\n){4}$/);
}

/** @param {Target} target */
async function receivesData({ demo }) {
  const { id, artifacts } = await sendForTask(demo, { text: 'data' });
  assert.equal(artifacts[0].parts[0].data.taskId, id);
}

/** @param {Target} target */
async function streams({ demo }) {
  const events = await collect(demo.sendMessageStream(toRequest({ text: 'story' })));
  const updates = events.flatMap(({ artifactUpdate }) => artifactUpdate ?? []);
  assert.equal(events[0].task.status.state, 'TASK_STATE_SUBMITTED');
  assert.ok(updates.length > 10);
  assert.deepEqual([updates[0].append ?? false, updates[1].append, updates.at(-1).lastChunk], [false, true, true]);
  assert.equal(events.at(-1).statusUpdate.status.state, 'TASK_STATE_COMPLETED');
  const { artifacts } = await getTask(demo, events[0].task.id);
  assert.equal(
    textOf(artifacts, 'story'),
    textOf(
      updates.map(({ artifact }) => artifact),
      'story',
    ),
  );
}

/** @param {Target} target */
async function streamsMessage({ demo }) {
  const events = await collect(demo.sendMessageStream(toRequest({ text: 'message' })));
  assert.deepEqual(
    events.map((event) => Object.keys(event)),
    [['message']],
  );
}

/** @param {Target} target */
async function gets({ demo }) {
  const { id } = await sendForTask(demo, { text: 'fail' });
  const lengths = [];
  for (const historyLength of [undefined, 1, 0]) lengths.push((await getTask(demo, id, historyLength)).history?.length ?? 0);
  assert.deepEqual(lengths, [2, 1, 0]);
}

/** @param {Target} target */
async function lists({ demo }) {
  const contextId = crypto.randomUUID();
  const ids = [];
  for (let n = 0; n < 5; n++) ids.push((await sendForTask(demo, { text: 'data', contextId })).id);
  const found = [];
  let pageToken = '';
  do {
    const page = await listTasks(demo, { contextId, pageSize: 2, pageToken });
    assert.deepEqual([page.totalSize, page.pageSize], [5, 2]);
    found.push(...page.tasks);
    pageToken = page.nextPageToken;
  } while (pageToken !== '');
  assert.deepEqual(
    found.map(({ id }) => id),
    ids.reverse(),
  );
  assert.equal(found[0].artifacts, undefined);
  const full = await listTasks(demo, { contextId, includeArtifacts: true, status: 'TASK_STATE_COMPLETED', historyLength: 0 });
  assert.equal(full.tasks[0]?.artifacts.length, 1);
  assert.equal((await listTasks(demo, { contextId, status: 'TASK_STATE_FAILED' })).totalSize, 0);
}

/** @param {Target} target */
async function cancels({ demo }) {
  const { id } = await sendForTask(demo, { text: 'slow 600', returnImmediately: true });
  const watching = collect(demo.resubscribeTask({ tenant: '', id }));
  await getTask(demo, id);
  assert.equal((await cancelTask(demo, id)).status.state, 'TASK_STATE_CANCELED');
  assert.equal((await watching).at(-1).statusUpdate.status.state, 'TASK_STATE_CANCELED');
  assert.equal((await cancelTask(demo, id)).status.state, 'TASK_STATE_CANCELED', 'canceling twice is not an error');
}

/** @param {Target} target */
async function subscribes({ demo }) {
  const { id } = await sendForTask(demo, { text: 'story', returnImmediately: true });
  const [first, ...rest] = await collect(demo.resubscribeTask({ tenant: '', id }));
  assert.equal(first.task.id, id);
  const updates = rest.flatMap(({ artifactUpdate }) => artifactUpdate?.artifact ?? []);
  assert.ok(updates.length > 10, 'the stream continues');
  assert.equal(rest.at(-1).statusUpdate.status.state, 'TASK_STATE_COMPLETED');
  const { artifacts } = await getTask(demo, id);
  assert.equal(textOf([...(first.task.artifacts ?? []), ...updates], 'story'), textOf(artifacts, 'story'));
}

/** @param {Target} target */
async function leaves({ demo }) {
  let id = '';
  for await (const { payload } of demo.sendMessageStream(toRequest({ text: 'story' }))) {
    if (payload?.$case === 'task') id = payload.value.id;
    if (payload?.$case === 'artifactUpdate') break;
  }
  const rest = await collect(demo.resubscribeTask({ tenant: '', id }));
  assert.equal(rest.at(-1).statusUpdate.status.state, 'TASK_STATE_COMPLETED');
}

/** @param {Target} target */
async function answersQuestion({ demo }) {
  const { id, contextId, status } = await sendForTask(demo, { text: 'question' });
  assert.equal(status.state, 'TASK_STATE_INPUT_REQUIRED');
  assert.match(status.message.parts[0].text, /Which city/);
  const events = await collect(demo.sendMessageStream(toRequest({ text: 'Oslo', taskId: id, contextId })));
  assert.equal(events[0].task.id, id);
  assert.equal(events.at(-1).statusUpdate.status.state, 'TASK_STATE_COMPLETED');
  const { artifacts, history } = await getTask(demo, id);
  assert.match(textOf(artifacts, 'plan'), /A day in Oslo/);
  assert.deepEqual(
    history.map((/** @type {any} */ { role }) => role),
    ['ROLE_USER', 'ROLE_AGENT', 'ROLE_USER'],
  );
}

/** @param {Target} target */
async function authorizes({ demo }) {
  const { id, status } = await sendForTask(demo, { text: 'auth' });
  assert.equal(status.state, 'TASK_STATE_AUTH_REQUIRED');
  const after = await sendForTask(demo, { text: 'yes', taskId: id });
  assert.equal(after.status.state, 'TASK_STATE_COMPLETED');
}

/** @param {Target} target */
async function continuesContext({ demo }) {
  const { id, contextId } = await sendForTask(demo, { text: 'a walnut' });
  const second = await sendForTask(demo, { text: 'recall', contextId });
  assert.notEqual(second.id, id);
  assert.equal(second.contextId, contextId);
  assert.match(textOf(second.artifacts, 'memories'), /You said: a walnut/);
}

/** @param {Target} target */
async function cancelsWaiting({ demo }) {
  const { id } = await sendForTask(demo, { text: 'question' });
  assert.equal((await cancelTask(demo, id)).status.state, 'TASK_STATE_CANCELED');
}

/** @param {Target} target */
async function readsFailure({ demo }) {
  const { status } = await sendForTask(demo, { text: 'fail' });
  assert.equal(status.state, 'TASK_STATE_FAILED');
  assert.deepEqual(status.message.metadata['urn:parley:a2a:error'], {
    reason: 'RATE_LIMITED',
    code: -31004,
    retryable: true,
    retryAfterMs: 30_000,
  });
}

/** @param {Target} target */
async function readsRejection({ demo }) {
  assert.equal((await sendForTask(demo, { text: 'reject' })).status.state, 'TASK_STATE_REJECTED');
}

/** @param {Target} target */
async function readsExtendedCard({ second }) {
  const card = await second.transport.getExtendedAgentCard({ tenant: '' }, unchecked(as('known')));
  assert.equal(card.skills[0]?.id, 'secret');
}

/** @param {Target} target */
async function callsSecondAgent({ second }) {
  const message = await sendForMessage(second, { text: 'Which caller am I?' }, as('known'));
  assert.equal(message.parts[0].text, 'You are known.');
}
