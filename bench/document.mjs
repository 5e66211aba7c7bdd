// docs/benchmarks.md: the tables of a run, and how they came to be.
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { root } from '../scripts/setup.mjs';

/**
 * @param {string} tables
 * @param {import('./arguments.mjs').Options} options
 */
export function writeDocument(tables, options) {
  const machine = `Node ${process.versions.node} on ${process.platform} ${process.arch} with ${availableParallelism()} CPUs`;
  const run = options.mode === 'quick' ? 'A quick run' : 'A full run';
  writeFileSync(join(root, 'docs/benchmarks.md'), `${HEAD}\n## Results\n\n${run} on ${machine}.\n\n${tables}\n${FOOT}`);
}

const HEAD = `# Benchmarks

What a request, an event or a task costs in Parley, as a ratio to a bare floor on the same machine in the same minute. This page is
written by \`npm run bench\`; the goals stand in \`bench/goals.mjs\`, and the command fails when one is missed.
`;

const FOOT = '';
