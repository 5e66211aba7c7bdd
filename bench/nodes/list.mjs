// Measures ListTasks with a million tasks in the store over HTTP: the first page, later pages, and filters.
import { postgres } from '@parley/a2a/postgres';
import { Client, message } from '../load/client.mjs';
import { expect } from '../measure.mjs';
import { median } from '../median.mjs';
import { explain } from './explain.mjs';
import { FEW, fill, MANY, PER_CONTEXT } from './fill.mjs';
import { startNode } from './node.mjs';
import { quantile } from './statistics.mjs';

/** @typedef {import('./servers.mjs').Servers} Servers */
/** @typedef {import('./sizes.mjs').Size} Size */
/** @typedef {{ title: string, medianMs: number, p99Ms: number, rows: number }} Page */
/** @typedef {{ title: string, text: string }} Plan */

const PAGE = 50;
/** Enough requests for PostgreSQL to fill its cache. */
const WARM = 20;

/**
 * @param {Servers} servers
 * @param {Size} size
 * @param {(text: string) => void} [tell] called with progress messages
 * @returns {Promise<{ tasks: number, filledMs: number, pages: Page[], plans: Plan[] }>}
 */
export async function measureList(servers, size, tell = () => {}) {
  const where = { url: servers.url, schema: servers.newSchema() };
  const node = await startNode({ ...where, name: 'list', bus: 'postgres' });
  try {
    await makeSample(node);
    const begin = performance.now();
    const tasks = await fill({ ...where, rows: size.rows });
    const filledMs = performance.now() - begin;
    tell(`list: ${tasks.toLocaleString('en')} tasks in ${(filledMs / 1_000).toFixed(0)} s`);
    const pages = await measurePages(node, size);
    pages.push(await measureDeepPage(where, size));
    return { tasks, filledMs, pages, plans: await explainPages(where, size) };
  } finally {
    await node.stop();
  }
}

/** @param {import('./node.mjs').Node} node */
async function makeSample({ address }) {
  const client = new Client(address, { 'x-caller': 'sample' });
  try {
    const { task } = await client.ask(client.rpc('SendMessage', message('A question as people ask it, of a line or so')));
    expect(task?.status?.state, 'TASK_STATE_COMPLETED', 'the state of the sample');
  } finally {
    client.close();
  }
}

/**
 * @param {import('./node.mjs').Node} node
 * @param {Size} size
 */
async function measurePages({ address }, { rows, requests }) {
  const many = new Client(address, { 'x-caller': MANY });
  const few = new Client(address, { 'x-caller': FEW });
  try {
    const first = await ask(many, {});
    expect(first.totalSize, rows, 'the total number of tasks');
    const contextId = first.tasks[0]?.contextId;
    const month = new Date(Date.now() - 30 * 24 * 3_600_000).toISOString();
    const second = { pageToken: first.nextPageToken };
    const hundredth = { pageToken: await tokenOf(many, 99) };
    const far = { pageToken: await tokenOf(many, 199) };
    /** @type {[string, Client, object, number][]} */
    const kinds = [
      ['first page', many, {}, PAGE],
      ['page 2', many, second, PAGE],
      ['page 100', many, hundredth, PAGE],
      ['page 200 (at the 10,000th row)', many, far, PAGE],
      ['first page, a frequent state (90 %)', many, { status: 'TASK_STATE_COMPLETED' }, PAGE],
      ['first page, a rare state (2 %)', many, { status: 'TASK_STATE_INPUT_REQUIRED' }, PAGE],
      ['first page, one context', many, { contextId }, Math.min(PAGE, PER_CONTEXT)],
      ['first page, status of the last 30 days', many, { statusTimestampAfter: month }, PAGE],
      ['first page with artifacts', many, { includeArtifacts: true }, PAGE],
      ['first page of a caller with 100 tasks', few, {}, PAGE],
    ];
    for (let n = 0; n < requests; n += 1) await ask(many, {}); // warm-up of the processes
    const pages = [];
    for (const [title, client, params, expected] of kinds) {
      pages.push({ title, rows: expected, ...(await timePages(requests, () => ask(client, params), expected)) });
    }
    return pages;
  } finally {
    many.close();
    few.close();
  }
}

/**
 * @param {Client} client
 * @param {object} params
 */
function ask(client, params) {
  return client.ask(client.rpc('ListTasks', { pageSize: PAGE, ...params }));
}

/**
 * The token for the page after this many pages.
 * @param {Client} client
 * @param {number} pages
 * @returns {Promise<string | undefined>}
 */
async function tokenOf(client, pages) {
  /** @type {string | undefined} */
  let pageToken;
  const seen = new Set();
  for (let n = 0; n < pages; n += 1) {
    const page = await ask(client, pageToken ? { pageToken } : {});
    for (const { id } of page.tasks) seen.add(id);
    if (!page.nextPageToken) break; // there are fewer pages
    pageToken = page.nextPageToken;
  }
  if (seen.size % PAGE !== 0) throw new Error(`a task was on two pages, or on none: ${seen.size} tasks in total`);
  return pageToken;
}

/**
 * @param {number} requests
 * @param {() => Promise<{ tasks: readonly unknown[] }>} read
 * @param {number} expected
 */
async function timePages(requests, read, expected) {
  const times = [];
  for (let n = -WARM; n < requests; n += 1) {
    const begin = performance.now();
    const { tasks } = await read();
    if (n >= 0) times.push(performance.now() - begin);
    expect(tasks.length, expected, 'the number of tasks on the page');
  }
  return { medianMs: median(times), p99Ms: quantile(times, 0.99) };
}

/**
 * A page in the middle of the list. It is too far to page through, so the store is called directly.
 * @param {{ url: string, schema: string }} where
 * @param {Size} size
 * @returns {Promise<Page>}
 */
async function measureDeepPage({ url, schema }, { rows, requests }) {
  const store = postgres(url, { schema });
  try {
    const query = { agent: '', tenant: '', owner: MANY, limit: PAGE, count: false, withoutArtifacts: true };
    const after = { statusAt: Date.now() - 45 * 24 * 3_600_000, id: '' };
    const times = await timePages(requests, () => store.list({ ...query, after }), PAGE);
    return { title: `a page at about the ${(rows / 2).toLocaleString('en')}th row (store only)`, rows: PAGE, ...times };
  } finally {
    await store.close();
  }
}

/**
 * @param {{ url: string, schema: string }} where
 * @param {Size} size
 * @returns {Promise<Plan[]>}
 */
async function explainPages(where, { rows }) {
  const query = { agent: '', tenant: '', owner: MANY, limit: PAGE, withoutArtifacts: true };
  const middle = { statusAt: Date.now() - 45 * 24 * 3_600_000, id: '' };
  /** @type {[string, import('@parley/a2a/server/advanced').ListQuery][]} */
  const kinds = [
    ['The first page, with the total number of tasks', { ...query, count: true }],
    [`A page at about the ${(rows / 2).toLocaleString('en')}th row`, { ...query, count: false, after: middle }],
    ['The first page of a rare state', { ...query, count: true, state: 'TASK_STATE_INPUT_REQUIRED' }],
  ];
  const plans = [];
  for (const [title, asked] of kinds) plans.push({ title, text: (await explain(where, (store) => store.list(asked))).join('\n\n') });
  return plans;
}
