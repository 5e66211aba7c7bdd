// Writes docs/benchmarks.md: the tables of a run, and the method.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { root } from '../scripts/setup.mjs';

export const FILE = join(root, 'docs/benchmarks.md');

/** The tables of a run; undefined if not measured. @typedef {Partial<Record<keyof typeof TITLES, string>>} Tables */

/**
 * Writes the measured tables, and keeps the others from an earlier run.
 * @param {Tables} tables
 * @param {import('./arguments.mjs').Options} options
 */
export function writeDocument(tables, options) {
  const machine = `Node ${process.versions.node} on ${process.platform} ${process.arch} with ${availableParallelism()} CPUs`;
  const sections = Object.entries(TITLES).map(([name, title]) => {
    const table = tables[/** @type {keyof Tables} */ (name)];
    const kind = name === 'clients' ? CLIENT_KINDS[options.mode] : KINDS[options.mode];
    return table === undefined ? sectionOf(title) : `## ${title}\n\n${kind} on ${machine}.\n\n${table}\n`;
  });
  const nodes = nodesSection();
  writeFileSync(FILE, [HEAD, ...sections.filter((text) => text !== ''), FOOT, ...(nodes === '' ? [] : [nodes])].join('\n'));
}

/** The last section of the page, which `npm run bench:nodes` writes. */
export const NODES_TITLE = 'Many nodes';

function nodesSection() {
  const text = existsSync(FILE) ? readFileSync(FILE, 'utf8') : '';
  const start = text.indexOf(`## ${NODES_TITLE}\n`);
  return start < 0 ? '' : text.slice(start);
}

const TITLES = { servers: 'Results', unary: 'Unary calls', clients: 'Client results' };

/** The current text of a section; '' if there is none. @param {string} title */
function sectionOf(title) {
  const text = existsSync(FILE) ? readFileSync(FILE, 'utf8') : '';
  const start = text.indexOf(`## ${title}\n`);
  if (start < 0) return '';
  const end = text.indexOf('\n\n', text.indexOf('\n|', start));
  return `${text.slice(start, end)}\n`;
}

const KINDS = {
  full: 'A full run: five repetitions (three for counts, stable workloads and rows of 1 to 3 without a goal, one for heap per task), each after a warm-up of three seconds',
  quick: 'A quick run: two repetitions with almost no warm-up and a tenth of the tasks; a full run is more precise',
};

/** The same for clients, which are measured in more and shorter rounds. */
const CLIENT_KINDS = {
  full: 'A full run: seven repetitions, each after a warm-up of three seconds and at least 4,000 calls',
  quick: KINDS.quick,
};

const HEAD = `# Benchmarks

The cost of a request, an event or a task in Parley, as a ratio to a bare floor that runs on the same machine at the same time.
\`npm run bench\` writes this page. The goals are in \`bench/goals.mjs\`, and the command fails if a goal is missed.
`;

const FOOT = `The first number of a goal is for \`memoryStore()\`, the second for \`sqlite()\`. A ratio below 1 is cheaper than the floor. A number with a plus is
the cost above the floor, for workloads whose floor is about zero. The rows of growth, promises and bytes show the values themselves, and so
does their goal. 2r and 5r show the ratio to 2 × 16 and 5 × 16 on the same store.

## Contestants

- **floor**: bare \`node:http\` (\`bench/servers/floor.mjs\`). It parses the body, builds the same objects, stringifies them, keeps tasks in a
  \`Map\` and writes server-sent events by hand. It validates nothing, so a complete server cannot be as cheap everywhere.
- **gathered floor**: the same server, but it keeps each unary reply until all requests of one event-loop iteration are read, then writes
  these replies together (\`bench/servers/replies.mjs\`). Parley gathers its replies in this way, too, so this floor shows what the rest of
  its work costs. The table of unary calls compares with it.
- **peer**: \`@a2a-js/sdk\` 1.3.0 on Express with its in-memory store (\`bench/servers/peer.mjs\`), as in its own multi-transport sample. It
  gets the same warm-up and repetitions as Parley in 1, 2 and 3, fewer elsewhere, and is skipped where one round takes minutes.
- **peer SQL**: the same server with the SDK's own store for SQL databases (\`bench/servers/peer-sql.mjs\`), to compare with our SQLite. It
  has a file in a temporary folder, the tables and indexes that its \`a2a-db\` command prints, and the same journal, cache and durability
  settings as \`sqlite(file)\`. It uses Kysely, which here runs on \`libsql\` instead of \`better-sqlite3\`, because the latter must be
  compiled. Both stores use the same engine. Kysely prepares every statement again, which is expensive in \`libsql\`, so this benchmark caches
  prepared statements, to the peer's advantage. The store is measured in 2 × 16, 3 × 16, 5s, 6, 6b and 7, and in a quick run only
  in 2 × 16.
- **memory** and **SQLite**: Parley with \`memoryStore()\` and with \`sqlite(file)\` in a temporary folder (\`bench/servers/ours.mjs\`).

All of them run the same agent, which does what the text of a message says (\`bench/servers/script.mjs\`).

## Method

- The number is the CPU time of the server process per operation, by \`process.cpuUsage()\`. Wall time varies with other load on the machine;
  only the two burst workloads use it.
- Every repetition has its own server process, which serves one workload. Contestants take turns (floor, gathered floor, peer, peer SQL,
  memory, SQLite, floor, …). Each value is divided by the floor of the same round, and the table shows the median of these ratios.
- The load comes from another process, over raw keep-alive sockets. Workloads 1, 2 and 3 use as many connections as their id says
  (2 × 16), other unary requests eight. Each connection sends the next request as soon as the last one is answered, so with several connections
  the server is always busy. On a mostly idle server, each wake-up adds the same cost to every contestant, and ratios are closer to 1. Every
  message has its own id.
- With many connections, a server that gathers its replies, or the commits of its store, shares their cost among more requests. The rows with
  four connections and with one show what a request costs when there is less to share.
- The overhead share of a unary call is (ours − floor) ÷ (peer − floor), in each round, with the peer in memory. A ratio to the floor depends on
  how little the floor does and on the machine. The share depends on them less: 0.05 means that Parley adds one twentieth of what the
  official SDK adds to a bare server.
- In 2r and 5r, the executor publishes the events of 2 × 16 and 5 × 16 itself, by \`events.publish\`, as one that was written for another SDK
  does. Each round measures both forms on each store, and the form that begins alternates.
- Promises are counted by \`async_hooks\` in the server process, during 2,000 requests of 2 × 16. The count contains the promises that \`await\`
  makes. Bytes are the growth of the JavaScript heap of the main thread during 2,000 such requests, without the content of buffers. The
  process has room for 512 MB of new objects (\`--min-semi-space-size\`), so that nothing is collected meanwhile; a count with a collection is
  repeated. The 2,000 requests after the last forced collection are not counted: they allocate more. Nothing else is measured in these
  processes.
- The replies are checked before the measurement: texts, numbers of chunks, order and size of a page. During the measurement, each reply
  must contain an expected text. A wrong reply ends the run.
- Workload 11 opens a task with all but 50 of its chunks, adds these 50 unmeasured, then measures 200 more, one per event-loop iteration.
  Its growth row measures both lengths in one process.
  Heap is measured after garbage collection, as the difference between two fill levels. gRPC (4) is not measured yet.
- Workload 10 measures the caller: the CPU time of the calling process per call, with eight calls at a time. Each client has its own process
  and its own floor server. The base is the platform's \`fetch\` with \`JSON.stringify\` and \`JSON.parse\`. All clients of a repetition run
  at the same time and take turns of 250 calls, so that other load on the machine affects all of them. Parley's client is measured with the
  defaults of \`createClient\`: retry, breaker, timeouts and logs are active (\`bench/clients/\`). Half of its cost above a bare \`fetch\` is
  the abort signal, without which a call could not be ended in time.

## Running it

\`npm run bench\` measures everything in about 50 minutes and updates this page. \`npm run bench -- --quick\` takes about five minutes
on an idle machine, leaves out the rows of 1 to 3 that have no goal, and does not update the page. \`--only 2,5\` selects workloads (\`2\` is
every row of 2, \`"2 × 16"\` is one row), \`--no-peer\` skips the official SDK with both stores, \`--write\` updates the page.
`;
