// docs/benchmarks.md: the table of a run, and how they came to be.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { root } from '../scripts/setup.mjs';

export const FILE = join(root, 'docs/benchmarks.md');

/** The tables of a run; what it did not measure is undefined. @typedef {{ servers: string | undefined, clients: string | undefined }} Tables */

/**
 * Writes what was measured, and keeps what an earlier run wrote of the rest.
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

const TITLES = { servers: 'Results', clients: 'Results of clients' };

/** A section of the page as it is; '' where it has none. @param {string} title */
function sectionOf(title) {
  const text = existsSync(FILE) ? readFileSync(FILE, 'utf8') : '';
  const start = text.indexOf(`## ${title}\n`);
  if (start < 0) return '';
  const end = text.indexOf('\n\n', text.indexOf('\n|', start));
  return `${text.slice(start, end)}\n`;
}

const KINDS = {
  full: 'A full run: five repetitions (three where little swings, one for heap per task), each warmed up for three seconds',
  quick: 'A quick run: two repetitions, hardly warmed up, a tenth of the tasks; a full one says more',
};

/** The same for callers, who are measured in more and shorter pairs. */
const CLIENT_KINDS = {
  full: 'A full run: seven repetitions, each warmed up for three seconds and at least 4,000 calls',
  quick: KINDS.quick,
};

const HEAD = `# Benchmarks

What a request, an event or a task costs in Parley, as a ratio to a bare floor on the same machine in the same minute. This page is
written by \`npm run bench\`. The goals stand in \`bench/goals.mjs\`, and the command fails when one is missed.
`;

const FOOT = `The first number of a goal is for \`memoryStore()\`, the second for \`sqlite()\`; a ratio below 1 is cheaper than the floor. A number with a plus is
what something costs more than the floor, where the floor is about nothing.

## Who is measured

- **floor**: bare \`node:http\` (\`bench/servers/floor.mjs\`). It parses the body, builds the same objects, stringifies them, keeps tasks in a
  \`Map\` and writes server-sent events by hand. It checks nothing, so a whole server cannot be as cheap everywhere.
- **peer**: \`@a2a-js/sdk\` 1.3.0 on Express with its in-memory store (\`bench/servers/peer.mjs\`), as in its own multi-transport sample. It
  gets fewer repetitions, and is left out where one round takes it minutes.
- **peer SQL**: the same server with the SDK's own store for SQL databases (\`bench/servers/peer-sql.mjs\`), the opponent of our SQLite. It
  has a file in a temporary folder, the tables and indexes that its \`a2a-db\` command prints, and the journal, cache and caution about the
  disk that \`sqlite(file)\` has. Kysely, which it stands on, runs it on \`libsql\` in place of \`better-sqlite3\`, which would have to be
  compiled: both stores use the same engine. Kysely prepares every statement anew, which is dear in \`libsql\`; so here prepared statements
  are kept, to the peer's advantage. It is measured in 2, 3, 5s, 6, 6b and 7, in a quick run in 2 only.
- **memory** and **SQLite**: Parley with \`memoryStore()\` and with \`sqlite(file)\` in a temporary folder (\`bench/servers/ours.mjs\`).

All five run the same agent, which does what the text of a message says (\`bench/servers/script.mjs\`).

## How

- The number is the CPU time of the server process per operation, by \`process.cpuUsage()\`. Time by the clock swings with whatever else the
  machine does; only the two lines about bursts are by the clock.
- Every repetition has a server process of its own, which serves one workload. Contestants take turns (floor, peer, peer SQL, memory, SQLite,
  floor, …), each value is divided by the floor of its own turn, and the median of these ratios is shown.
- The load comes from another process, over raw sockets that are kept. Unary requests come over eight connections, each with the next one
  as soon as the last is answered: the server is always busy. On a server that is mostly idle, waking up costs everybody the same on
  top, and all ratios are nearer to 1. Every message has an id of its own.
- Before anything is measured the replies are checked: texts, numbers of chunks, order and size of a page. While it is measured, every
  reply is looked at for what a right one contains. A wrong one ends the run.
- Workload 11 opens a task that has the chunks already, says 50 more unmeasured, then measures 200, one per turn of the event loop;
  its line of growth does both lengths in one process.
  Heap is measured after garbage collection, as the difference between two fillings. gRPC (4) is not measured yet.
- Workload 10 is the other way round: the CPU time of the calling process per call, each caller in a process of its own against the floor,
  eight calls at a time, beside the platform's \`fetch\` with \`JSON.stringify\` and \`JSON.parse\`. All callers of a repetition live at
  the same time and take turns of 250 calls, so that whatever else the machine does falls on all of them. Parley's client is measured as
  \`createClient\` gives it, with retry, breaker, timeouts and logs in place (\`bench/clients/\`). Half of what it costs over a bare
  \`fetch\` is the signal without which a call cannot be ended in time.

## Running it

\`npm run bench\` measures everything, in about half an hour, and writes this page. \`npm run bench -- --quick\` takes less than four minutes
on an idle machine and writes nothing; \`--only 2,5\` picks workloads, \`--no-peer\` leaves the official SDK out with either store,
\`--write\` writes the page.
`;
