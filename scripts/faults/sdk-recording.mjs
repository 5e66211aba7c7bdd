// Records the responses of the official SDK's server step by step, and replays them. Thousands of cuts of one recording take seconds, and
// each response is one of the real server.
import { EVENTS, STEPS } from './job.mjs';
import { ask, framesOf, RPC_ID, toMessage, unwrap } from './raw.mjs';

/** @typedef {import('./raw.mjs').Door} Door */
/** @typedef {{ status: number, headers: Record<string, string>, body: string }} Answer */

/**
 * Indexed by the number of events so far: at index n, `snapshots` is the first frame of a subscription after the n-th event, `tasks` is the
 * response to GetTask.
 * @typedef {object} Recording
 * @property {string[]} frames
 * @property {string[]} snapshots
 * @property {Answer[]} tasks
 * @property {Answer} refusal the error for a subscription to the ended task
 */

/** @typedef {{ card: any, url: string, recordings: Record<import('./raw.mjs').Binding, Recording> }} Recorded */

/**
 * Records both bindings and the card.
 * @param {import('./peers.mjs').Peers} peers
 * @returns {Promise<Recorded>}
 */
export async function recordSdk({ sdk: { url, urls }, sdkProcess }) {
  const step = () => sdkProcess.tell('step');
  return {
    card: await (await fetch(`${url}/.well-known/agent-card.json`)).json(),
    url,
    recordings: {
      jsonrpc: await record({ fetch, url: urls.jsonrpc, binding: 'jsonrpc' }, step),
      rest: await record({ fetch, url: urls.rest, binding: 'rest' }, step),
    },
  };
}

/**
 * @param {Door} door
 * @param {() => void} nextStep lets the agent take one step
 * @returns {Promise<Recording>}
 */
async function record(door, nextStep) {
  const stream = framesOf(await ask(door, 'SendStreamingMessage', toMessage({ pace: 'told' })));
  /** @type {string[]} */
  const frames = [];
  const snapshots = [''];
  /** @type {Answer[]} */
  const tasks = [{ status: 404, headers: {}, body: '' }];
  const readFrame = async () => {
    const { value } = await stream.next();
    if (value === undefined) throw new Error(`the recording ended after ${frames.length} events`);
    frames.push(value);
  };
  await readFrame();
  const { id } = unwrap(frames[0] ?? '').task;
  for (let taken = 0; taken < STEPS.length; taken += 1) {
    snapshots.push(await firstFrame(await ask(door, 'SubscribeToTask', { id })));
    tasks.push(await toAnswer(await ask(door, 'GetTask', { id })));
    nextStep();
    await readFrame();
  }
  for await (const more of stream) throw new Error(`the recording has an extra event: ${more}`);
  tasks.push(await toAnswer(await ask(door, 'GetTask', { id })));
  return { frames, snapshots, tasks, refusal: await toAnswer(await ask(door, 'SubscribeToTask', { id })) };
}

/**
 * A `fetch` that replays the recording. A send streams everything; a client that reconnects finds the server after `progress` events.
 * `repeats`: a subscription sends the log from its start after the snapshot.
 * @param {Recording} recording
 * @param {() => number} progress
 * @param {boolean} [repeats]
 * @returns {(request: Request) => Promise<Response>}
 */
export function replay({ frames, snapshots, tasks, refusal }, progress, repeats = false) {
  return async (request) => {
    const { pathname } = new URL(request.url);
    const text = await request.text();
    const body = text.includes('"jsonrpc"') ? JSON.parse(text) : undefined;
    const said = (/** @type {string} */ recorded) =>
      body ? recorded.replaceAll(JSON.stringify(RPC_ID), JSON.stringify(body.id)) : recorded;
    const give = (/** @type {Answer} */ answer) => new Response(said(answer.body), { status: answer.status, headers: answer.headers });
    const stream = (/** @type {string} */ recorded) => new Response(said(recorded), { headers: { 'content-type': 'text/event-stream' } });
    const count = progress();
    if (body?.method === 'SendStreamingMessage' || pathname.endsWith('/message:stream')) return stream(frames.join(''));
    if (body?.method === 'SubscribeToTask' || pathname.endsWith(':subscribe')) {
      return count >= EVENTS ? give(refusal) : stream([snapshots[count], ...frames.slice(repeats ? 1 : count)].join(''));
    }
    return give(tasks[count] ?? refusal);
  };
}

/** @param {Response} response */
async function firstFrame(response) {
  const frames = framesOf(response);
  const { value = '' } = await frames.next();
  await frames.return(undefined);
  return value;
}

/**
 * @param {Response} response
 * @returns {Promise<Answer>}
 */
async function toAnswer(response) {
  const { 'content-type': type = 'application/json' } = Object.fromEntries(response.headers);
  return { status: response.status, headers: { 'content-type': type }, body: await response.text() };
}
