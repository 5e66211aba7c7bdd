// One case for each use of our agents by the client of the official SDK 0.3.14.
import assert from 'node:assert/strict';
import { A2AClient, JsonRpcTransport, RestTransport } from 'a2a-sdk-03/client';
import { REQUIRED_EXTENSION } from '../second-agent.mjs';
import { V03_ERROR_CASES } from './error-cases.mjs';
import { OLD_CARD_PATH } from './sdk-agent.mjs';
import { artifactsOf, as, collect, createFactory, lastState, sendForMessage, sendForTask, textOf, toParams, toTask } from './target.mjs';

/** @typedef {import('./target.mjs').Target} Target */
/** @typedef {{ name: string, run: (target: Target) => Promise<void>, only?: Target['binding'] }} Case `only`: not for the other binding */

/** @type {readonly Case[]} */
const GOOD_CASES = [
  { name: 'F51: card discovery selects the binding', run: discoversCard },
  { name: 'D50: the card at the path before 0.3', run: readsOldPath },
  { name: 'F51: the older class A2AClient', run: callsWithOlderClass, only: 'JSONRPC' },
  { name: 'F51: send returns the finished task', run: sendsForTask },
  { name: 'F51: send returns a direct message', run: sendsForMessage },
  { name: 'D50: blocking: false returns while the task runs', run: returnsImmediately },
  { name: 'F51: a stream starts with the task, and the last status is final', run: streams },
  { name: 'F51: a stream of one message', run: streamsMessage },
  { name: 'F51: get, with the whole history and a part of it', run: gets },
  { name: 'F51: cancel ends a running task and its streams', run: cancels },
  { name: 'F51: resubscribe starts with the task and continues with its events', run: resubscribes },
  { name: 'F51: a reader that disconnects does not stop the task', run: leaves },
  { name: 'F51: input-required, a reply, and the stream continues', run: answersQuestion },
  { name: 'D50: a stream ends at input-required with final: true', run: streamsQuestion },
  { name: 'D50: resubscribe to a task that waits continues after the reply', run: resubscribesWaiting },
  { name: 'P5: a stream continues after auth-required and the reply', run: authorizes },
  { name: 'F51: a second task in the same conversation', run: continuesContext },
  { name: 'F51: a waiting task can be canceled', run: cancelsWaiting },
  { name: 'F51: failed and rejected tasks', run: readsFailures },
  { name: 'F51: a file arrives byte for byte', run: receivesFile },
  { name: 'F51: data arrives unchanged', run: receivesData },
  { name: 'D50: files and data return as they were sent', run: echoesParts },
  { name: 'D50: array and scalar data arrive as objects', run: receivesValues },
  { name: 'F51: the extended card for a known caller', run: readsExtendedCard },
  { name: 'D50: X-A2A-Extensions in the request and in the response', run: activatesExtension },
];

export const V03_CASES = [...GOOD_CASES, ...V03_ERROR_CASES];

/**
 * The cases for this binding.
 * @param {Target['binding']} binding
 */
export function casesFor(binding) {
  return V03_CASES.filter(({ only = binding }) => only === binding);
}

/** @param {Target} target */
async function discoversCard({ binding, demo, urls }) {
  const card = await demo.getAgentCard();
  assert.ok(demo.transport instanceof (binding === 'JSONRPC' ? JsonRpcTransport : RestTransport));
  assert.deepEqual([card.name, card.protocolVersion, card.preferredTransport], ['Parley demo', '0.3.0', 'JSONRPC']);
  assert.equal(new URL(card.url).origin, urls.demo);
  assert.deepEqual(
    card.additionalInterfaces?.map(({ transport }) => transport).filter((name) => name === 'HTTP+JSON'),
    ['HTTP+JSON'],
  );
  assert.equal(card.capabilities.streaming, true);
  assert.ok(card.skills.some(({ id }) => id === 'story'));
}

/** @param {Target} target */
async function readsOldPath({ binding, urls }) {
  const client = await createFactory(binding).createFromUrl(urls.demo, OLD_CARD_PATH);
  assert.equal((await sendForTask(client, { text: 'Any text' })).status.state, 'completed');
}

/** @param {Target} target */
async function callsWithOlderClass({ urls }) {
  const client = await A2AClient.fromCardUrl(`${urls.demo}/.well-known/agent-card.json`);
  const sent = await client.sendMessage(toParams({ text: 'Any text' }));
  assert.ok('result' in sent && sent.result.kind === 'task');
  const got = await client.getTask({ id: sent.result.id });
  assert.ok('result' in got);
  assert.equal(got.result.status.state, 'completed');
  const events = await collect(client.sendMessageStream(toParams({ text: 'story' })));
  assert.equal(lastState(events), 'completed');
}

/** @param {Target} target */
async function sendsForTask({ demo }) {
  const task = await sendForTask(demo, { text: 'Any text' });
  assert.equal(task.status.state, 'completed');
  assert.match(textOf(task.artifacts, 'answer'), /“Any text”/);
  const [first] = task.history ?? [];
  assert.deepEqual([first?.kind, first?.role, first?.parts], ['message', 'user', [{ kind: 'text', text: 'Any text' }]]);
}

/** @param {Target} target */
async function sendsForMessage({ demo }) {
  const message = await sendForMessage(demo, { text: 'message' });
  assert.equal(message.role, 'agent');
  assert.ok(message.contextId);
}

/** @param {Target} target */
async function returnsImmediately({ demo }) {
  const task = await sendForTask(demo, { text: 'slow 5', blocking: false });
  assert.match(task.status.state, /submitted|working/);
  await demo.cancelTask({ id: task.id });
}

/** @param {Target} target */
async function streams({ demo }) {
  const events = await collect(demo.sendMessageStream(toParams({ text: 'story' })));
  const { id, status } = toTask(events[0]);
  assert.equal(status.state, 'submitted');
  assert.ok(artifactsOf(events).length > 10);
  const updates = events.flatMap((event) => (event.kind === 'artifact-update' ? [event] : []));
  assert.equal(updates.at(-1)?.lastChunk, true);
  assert.equal(lastState(events), 'completed');
  const { artifacts } = await demo.getTask({ id });
  assert.equal(textOf(artifacts, 'story'), textOf(artifactsOf(events), 'story'));
}

/** @param {Target} target */
async function streamsMessage({ demo }) {
  const events = await collect(demo.sendMessageStream(toParams({ text: 'message' })));
  assert.deepEqual(
    events.map(({ kind }) => kind),
    ['message'],
  );
}

/** @param {Target} target */
async function gets({ demo }) {
  const { id } = await sendForTask(demo, { text: 'fail' });
  const lengths = [];
  for (const historyLength of [undefined, 1, 0]) lengths.push((await demo.getTask({ id, historyLength })).history?.length ?? 0);
  assert.deepEqual(lengths, [2, 1, 0]);
}

/** @param {Target} target */
async function cancels({ demo }) {
  const { id } = await sendForTask(demo, { text: 'slow 600', blocking: false });
  const watching = collect(demo.resubscribeTask({ id }));
  await demo.getTask({ id });
  assert.equal((await demo.cancelTask({ id })).status.state, 'canceled');
  assert.equal(lastState(await watching), 'canceled');
  assert.equal((await demo.getTask({ id })).status.state, 'canceled');
}

/** @param {Target} target */
async function resubscribes({ demo }) {
  const { id } = await sendForTask(demo, { text: 'story', blocking: false });
  const [first, ...rest] = await collect(demo.resubscribeTask({ id }));
  const task = toTask(first);
  assert.equal(task.id, id);
  assert.ok(artifactsOf(rest).length > 10, 'the stream continues');
  assert.equal(lastState(rest), 'completed');
  const { artifacts } = await demo.getTask({ id });
  assert.equal(textOf([...(task.artifacts ?? []), ...artifactsOf(rest)], 'story'), textOf(artifacts, 'story'));
}

/** @param {Target} target */
async function leaves({ demo }) {
  let id = '';
  for await (const event of demo.sendMessageStream(toParams({ text: 'story' }))) {
    if (event.kind === 'task') id = event.id;
    if (event.kind === 'artifact-update') break;
  }
  assert.equal(lastState(await collect(demo.resubscribeTask({ id }))), 'completed');
}

/** @param {Target} target */
async function answersQuestion({ demo }) {
  const { id, contextId, status } = await sendForTask(demo, { text: 'question' });
  assert.equal(status.state, 'input-required');
  const [asked] = status.message?.parts ?? [];
  assert.ok(asked?.kind === 'text');
  assert.match(asked.text, /Which city/);
  const events = await collect(demo.sendMessageStream(toParams({ text: 'Oslo', taskId: id, contextId })));
  assert.equal(toTask(events[0]).id, id);
  assert.equal(lastState(events), 'completed');
  const { artifacts, history } = await demo.getTask({ id });
  assert.match(textOf(artifacts, 'plan'), /A day in Oslo/);
  assert.deepEqual(
    history?.map(({ role }) => role),
    ['user', 'agent', 'user'],
  );
}

/** @param {Target} target */
async function streamsQuestion({ demo }) {
  const events = await collect(demo.sendMessageStream(toParams({ text: 'question' })));
  assert.equal(lastState(events), 'input-required');
  const { id: taskId } = toTask(events[0]);
  const answered = await collect(demo.sendMessageStream(toParams({ text: 'Oslo', taskId })));
  assert.equal(lastState(answered), 'completed');
}

/** @param {Target} target */
async function resubscribesWaiting({ demo }) {
  const { id } = await sendForTask(demo, { text: 'question' });
  const events = await collectWithReply(demo, demo.resubscribeTask({ id }), 'Oslo');
  assert.equal(toTask(events[0]).status.state, 'input-required');
  assert.equal(lastState(events), 'completed');
}

/** @param {Target} target */
async function authorizes({ demo }) {
  const events = await collectWithReply(demo, demo.sendMessageStream(toParams({ text: 'auth' })), 'yes');
  assert.equal(lastState(events), 'completed');
  const states = events.map((event) => event.kind === 'status-update' && event.status.state);
  assert.ok(states.includes('auth-required'), String(states));
}

/**
 * All events of a stream. The first one with a question is answered.
 * @param {import('a2a-sdk-03/client').Client} client
 * @param {AsyncIterable<import('./target.mjs').Event>} stream
 * @param {string} text the reply
 */
async function collectWithReply(client, stream, text) {
  /** @type {Promise<unknown> | undefined} */
  let replying;
  const answering = (async function* () {
    for await (const event of stream) {
      yield event;
      const asks = 'status' in event && /-required$/.test(event.status.state);
      if (asks) replying ??= sendForTask(client, { text, taskId: event.kind === 'task' ? event.id : event.taskId });
    }
  })();
  const events = await collect(answering);
  assert.ok(replying, 'the agent asks');
  await replying;
  return events;
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
  assert.equal((await demo.cancelTask({ id })).status.state, 'canceled');
}

/** @param {Target} target */
async function readsFailures({ demo }) {
  const { status } = await sendForTask(demo, { text: 'fail' });
  assert.equal(status.state, 'failed');
  const details = /** @type {any} */ (status.message?.metadata?.['urn:parley:a2a:error']);
  assert.equal(details.reason, 'RATE_LIMITED');
  assert.equal((await sendForTask(demo, { text: 'reject' })).status.state, 'rejected');
}

/** @param {Target} target */
async function receivesFile({ binding, demo }) {
  const { artifacts } = await sendForTask(demo, { text: 'file' });
  const [part] = artifacts?.[0]?.parts ?? [];
  assert.ok(part?.kind === 'file' && 'bytes' in part.file);
  assert.equal(part.file.mimeType, 'text/csv');
  // Over HTTP+JSON the SDK drops the name.
  assert.equal(part.file.name, binding === 'JSONRPC' ? 'planets.csv' : undefined);
  assert.match(Buffer.from(part.file.bytes, 'base64').toString(), /^planet,moons,.*\n(.+\n){4}$/);
}

/** @param {Target} target */
async function receivesData({ demo }) {
  const { id, artifacts } = await sendForTask(demo, { text: 'data' });
  const [part] = artifacts?.[0]?.parts ?? [];
  assert.ok(part?.kind === 'data');
  assert.equal(part.data.taskId, id);
}

/** @param {Target} target */
async function echoesParts({ binding, parts: client }) {
  const name = binding === 'JSONRPC' ? { name: 'bytes.bin' } : {};
  /** @type {import('a2a-sdk-03').Part[]} */
  const parts = [
    { kind: 'text', text: 'echo' },
    { kind: 'file', file: { bytes: 'AAECAwT/', mimeType: 'application/octet-stream', ...name } },
    { kind: 'file', file: { uri: 'https://example.com/planets.png', mimeType: 'image/png' } },
    { kind: 'data', data: { planet: 'Mars', moons: ['Phobos', 'Deimos'], rings: null } },
  ];
  const task = await sendForTask(client, { parts });
  assert.deepEqual(task.artifacts?.[0]?.parts, parts);
  assert.deepEqual(task.history?.[0]?.parts, parts);
  assert.deepEqual(artifactsOf(await collect(client.sendMessageStream(toParams({ parts }))))[0]?.parts, parts);
}

/** @param {Target} target */
async function receivesValues({ binding, parts: client }) {
  const { artifacts } = await sendForTask(client, { text: 'values' });
  // Over HTTP+JSON the SDK drops the metadata of a part.
  const mark = binding === 'JSONRPC' ? { metadata: { data_part_compat: true } } : {};
  assert.deepEqual(artifacts?.[1]?.parts, [
    { kind: 'data', data: { value: [1, 'two', { three: 3 }] }, ...mark },
    { kind: 'data', data: { value: 42 }, ...mark },
  ]);
}

/** @param {Target} target */
async function readsExtendedCard({ binding, urls }) {
  const second = await createFactory(binding).createFromUrl(urls.second);
  const card = await second.getAgentCard(as('known'));
  assert.equal(card.skills[0]?.id, 'secret');
}

/** @param {Target} target */
async function activatesExtension({ binding, urls }) {
  /** @type {(string | null)[]} */
  const activated = [];
  const client = await createFactory(binding, async (...request) => {
    const response = await fetch(...request);
    activated.push(response.headers.get('X-A2A-Extensions'));
    return response;
  }).createFromUrl(urls.second);
  const message = await sendForMessage(client, { text: 'Which caller am I?' }, as('known'));
  const [part] = message.parts;
  assert.ok(part?.kind === 'text');
  assert.equal(part.text, 'You are known.');
  assert.equal(activated.at(-1), REQUIRED_EXTENSION);
}
