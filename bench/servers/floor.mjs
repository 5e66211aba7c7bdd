// The floor: the cost of the same wire format on bare node:http. It parses the body, builds the same objects, stringifies them, keeps tasks
// in a Map and writes SSE by hand. It validates nothing, so a server that does cannot be much cheaper. Keep it efficient: a wasteful floor
// makes every contestant look good.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createGatheredReply, reply as replyAtOnce } from './replies.mjs';
import { ARTIFACT, atOnce, historyText, inTurns, REPLY, readAsk, seedId, seedTime } from './script.mjs';

/** @typedef {import('./replies.mjs').Response} Response */
/** @typedef {{ text: string }} Part */
/** @typedef {{ messageId: string, role: string, parts: Part[], contextId?: string, taskId?: string }} Message */
/** @typedef {{ artifactId: string, parts: Part[] }} Artifact */
/** @typedef {{ id: string, contextId: string, status: { state: string, timestamp: string }, artifacts: Artifact[], history: Message[] }} Task */
/** @typedef {{ task: Task, readers: Set<(json: string) => void> }} Open a task and its readers */
/** @typedef {(result: object) => void} Answer */

const COMPLETED = 'TASK_STATE_COMPLETED';
/** @type {Map<string, Task>} */
const tasks = new Map();
/** @type {Map<string, Open>} */
const open = new Map();
/** Newest status first, in the order of a list. @type {Task[]} */
let newest = [];
/** @type {import('./script.mjs').Held[]} */
const held = [];
let reply = replyAtOnce;

/**
 * @param {'floor' | 'gathered'} kind `gathered` writes the unary replies of one event-loop iteration together
 * @returns {Promise<import('./script.mjs').Served>}
 */
export async function serve(kind) {
  if (kind === 'gathered') reply = createGatheredReply();
  const server = createServer((request, response) => {
    /** @type {Buffer | undefined} */
    let body;
    request.on('data', (chunk) => {
      body = body === undefined ? chunk : Buffer.concat([body, chunk]);
    });
    request.on('end', () => {
      const value = JSON.parse(String(body));
      if (request.url === '/') answerJsonRpc(value, response);
      else send(value.message, (result) => reply(response, JSON.stringify(result)));
    });
  });
  server.keepAliveTimeout = 65_000;
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { port, jsonRpcPath: '/', restPath: '', held, seed };
}

/**
 * @param {{ id: number, method: string, params: any }} call
 * @param {Response} response
 */
function answerJsonRpc({ id, method, params }, response) {
  /** @param {object} result */
  const answer = (result) => reply(response, JSON.stringify({ jsonrpc: '2.0', id, result }));
  if (method === 'SendMessage') send(params.message, answer);
  else if (method === 'GetTask') answer(cut(/** @type {Task} */ (tasks.get(params.id)), params.historyLength));
  else if (method === 'ListTasks') answer(page(params.pageSize));
  else if (method === 'SendStreamingMessage') stream(id, params.message, response);
  else subscribe(id, /** @type {Open} */ (open.get(params.id)), response);
}

/**
 * @param {Message} message
 * @param {Answer} answer
 */
function send(message, answer) {
  const { kind, count } = readAsk(/** @type {Part} */ (message.parts[0]).text);
  if (kind === 'message') {
    answer({ message: { messageId: randomUUID(), role: 'ROLE_AGENT', parts: [{ text: REPLY }], contextId: randomUUID() } });
    return;
  }
  const task = createTask(message);
  if (kind === 'task') addPart(task, REPLY);
  if (kind === 'history') addHistory(task, count);
  if (kind === 'hold') hold(task, count);
  else setState(task, COMPLETED);
  answer({ task });
}

/**
 * @param {Message} message
 * @returns {Task}
 */
function createTask(message) {
  const id = randomUUID();
  const contextId = message.contextId ?? randomUUID();
  message.contextId = contextId;
  message.taskId = id;
  const status = { state: 'TASK_STATE_SUBMITTED', timestamp: new Date().toISOString() };
  /** @type {Task} */
  const task = { id, contextId, status, artifacts: [], history: [message] };
  tasks.set(id, task);
  return task;
}

/**
 * @param {Task} task
 * @param {string} state
 */
function setState(task, state) {
  task.status = { state, timestamp: new Date().toISOString() };
}

/**
 * @param {Task} task
 * @param {string} text
 */
function addPart(task, text) {
  const artifact = task.artifacts[0];
  if (artifact === undefined) task.artifacts.push({ artifactId: ARTIFACT, parts: [{ text }] });
  else artifact.parts.push({ text });
}

/**
 * @param {Task} task
 * @param {number} count
 */
function addHistory(task, count) {
  const { id: taskId, contextId } = task;
  for (let index = 1; index < count; index += 1) {
    task.history.push({ messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: historyText(index) }], contextId, taskId });
  }
}

/**
 * Streams chunks, or the events of a task that stays open.
 * @param {number} id
 * @param {Message} message
 * @param {Response} response
 */
function stream(id, message, response) {
  const { kind, count } = readAsk(/** @type {Part} */ (message.parts[0]).text);
  const task = createTask(message);
  const write = openStream(id, response);
  write(JSON.stringify({ task }));
  const finish = () => {
    setState(task, COMPLETED);
    write(JSON.stringify({ statusUpdate: { taskId: task.id, contextId: task.contextId, status: task.status } }));
    response.end();
  };
  /** @param {string} text */
  const chunk = (text) => write(addChunk(task, text));
  if (kind === 'burst') {
    atOnce(count, chunk);
    finish();
  } else {
    void inTurns(count, chunk).then(finish);
  }
}

/**
 * Adds a chunk to the task; returns its event as JSON.
 * @param {Task} task
 * @param {string} text
 */
function addChunk(task, text) {
  const append = task.artifacts.length > 0;
  addPart(task, text);
  const artifact = { artifactId: ARTIFACT, parts: [{ text }] };
  return JSON.stringify({ artifactUpdate: { taskId: task.id, contextId: task.contextId, artifact, append, lastChunk: false } });
}

/**
 * @param {number} id
 * @param {Response} response
 * @returns {(json: string) => void}
 */
function openStream(id, response) {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const prefix = `data: {"jsonrpc":"2.0","id":${id},"result":`;
  return (json) => void response.write(`${prefix}${json}}\n\n`);
}

/**
 * @param {Task} task
 * @param {number} count
 */
function hold(task, count) {
  /** @type {Open} */
  const entry = { task, readers: new Set() };
  open.set(task.id, entry);
  atOnce(count, (text) => addPart(task, text));
  held.push({
    chunk: (text) => {
      const json = addChunk(task, text);
      for (const write of entry.readers) write(json);
    },
  });
}

/**
 * @param {number} id
 * @param {Open} entry
 * @param {Response} response
 */
function subscribe(id, { task, readers }, response) {
  const write = openStream(id, response);
  write(JSON.stringify({ task }));
  readers.add(write);
  response.on('close', () => readers.delete(write));
}

/**
 * @param {Task} task
 * @param {number | undefined} historyLength
 * @returns {object}
 */
function cut(task, historyLength) {
  if (historyLength === undefined) return task;
  const { id, contextId, status, artifacts, history } = task;
  return { id, contextId, status, artifacts, history: history.slice(-historyLength) };
}

/**
 * The first page, without artifacts, and with a token for the next page.
 * @param {number} pageSize
 */
function page(pageSize) {
  const found = newest.slice(0, pageSize);
  const last = /** @type {Task} */ (found[found.length - 1]);
  return {
    tasks: found.map(({ id, contextId, status, history }) => ({ id, contextId, status, history })),
    nextPageToken: Buffer.from(`${last.status.timestamp} ${last.id}`).toString('base64url'),
    pageSize,
    totalSize: newest.length,
  };
}

/**
 * @param {number} count
 * @param {'in-order' | 'shuffled'} order
 */
async function seed(count, order) {
  for (let n = 0; n < count; n += 1) {
    const id = seedId(n);
    const contextId = `context-${n % 100}`;
    const timestamp = new Date(seedTime(n, count, order)).toISOString();
    tasks.set(id, {
      id,
      contextId,
      status: { state: COMPLETED, timestamp },
      artifacts: [{ artifactId: ARTIFACT, parts: [{ text: REPLY }] }],
      history: [{ messageId: `message-${n}`, role: 'ROLE_USER', parts: [{ text: 'task' }], contextId, taskId: id }],
    });
  }
  newest = [...tasks.values()].sort((a, b) => (a.status.timestamp < b.status.timestamp ? 1 : -1));
}
