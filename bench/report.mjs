// Formats the tables for the terminal and for docs/benchmarks.md, and judges the goals.
import { FLATNESS, GATHERED_GOALS, GOALS, SHARE_GOALS } from './goals.mjs';
import { format, formatExtra, toGoal, toTable } from './table.mjs';

/** @typedef {import('./compare.mjs').Outcome} Outcome */
/** @typedef {import('./table.mjs').Row} Row */
/** `missed`: the number of rows or columns of a goal that is missed. @typedef {{ table: string, missed: number }} Report */

const HEADINGS = ['#', 'workload', 'floor', 'peer ÷ floor', 'peer SQL ÷ floor', 'memory ÷ floor', 'SQLite ÷ floor', 'goal', ''];
const GATHERED_HEADINGS = ['gathered floor', 'memory ÷ gathered', 'SQLite ÷ gathered', 'goal', ''];
const SHARE_HEADINGS = ['memory share', 'SQLite share', 'goal', ''];

/** The columns of ratios; only the last two have goals. @type {readonly import('./server.mjs').Contestant[]} */
const SHOWN = ['peer', 'peer-sql', 'memory', 'sqlite'];

/**
 * @param {Outcome} outcome
 * @returns {Row}
 */
function toRow({ workload, values, ratios }) {
  const show = workload.by === 'difference' ? formatExtra : format;
  const floor = values.floor === undefined ? '–' : `${format(values.floor)} ${workload.unit}`;
  const goal = toGoal(ratios, GOALS[workload.id], show);
  return { cells: [workload.id, workload.title, floor, ...SHOWN.map((name) => show(ratios[name])), ...goal.cells], isMet: goal.isMet };
}

/**
 * @param {readonly Outcome[]} outcomes
 * @returns {Row[]} empty if one of the two sizes was not measured
 */
function toFlatness(outcomes) {
  const { of, to, goal } = FLATNESS;
  const many = outcomes.find(({ workload }) => workload.id === of)?.ratios;
  const few = outcomes.find(({ workload }) => workload.id === to)?.ratios;
  if (many === undefined || few === undefined) return [];
  const growths = Object.fromEntries(SHOWN.map((name) => [name, (many[name] ?? Number.NaN) / (few[name] ?? Number.NaN)]));
  const { cells, isMet } = toGoal(growths, { memory: goal, sqlite: goal });
  const shown = SHOWN.map((name) => format(growths[name]));
  return [{ cells: ['7 growth', `the ratio at ${of} ÷ that at ${to}`, '–', ...shown, ...cells], isMet }];
}

/**
 * @param {readonly Outcome[]} outcomes
 * @returns {Report}
 */
export function report(outcomes) {
  const rows = [...outcomes.map(toRow), ...toFlatness(outcomes)];
  return { table: toTable(HEADINGS, rows), missed: rows.filter(({ isMet }) => isMet === false).length };
}

/**
 * The unary sends once more, compared with the gathered floor and with the overhead of the official SDK.
 * @param {readonly Outcome[]} outcomes
 * @returns {Report | undefined} undefined if no such workload was measured
 */
export function reportUnary(outcomes) {
  const found = outcomes.filter(({ gathered }) => gathered !== undefined);
  if (found.length === 0) return undefined;
  const rows = found.map(({ workload, values, gathered = {}, shares = {} }) => {
    const goals = [toGoal(gathered, GATHERED_GOALS[workload.id]), toGoal(shares, SHARE_GOALS[workload.id])];
    const [ratioCells = [], shareCells = []] = goals.map(({ cells }) => cells);
    const floor = `${format(values.gathered)} ${workload.unit}`;
    const ratios = [format(gathered.memory), format(gathered.sqlite), ...ratioCells];
    const cells = [workload.id, floor, ...ratios, formatShare(shares.memory), formatShare(shares.sqlite), ...shareCells];
    return { cells, goals };
  });
  const missed = rows.flatMap(({ goals }) => goals).filter(({ isMet }) => isMet === false).length;
  return { table: toTable(['#', ...GATHERED_HEADINGS, ...SHARE_HEADINGS], rows), missed };
}

/**
 * One digit more than a ratio: the goals of a share are below 0.2.
 * @param {number | undefined} value
 */
function formatShare(value) {
  return value === undefined || Number.isNaN(value) ? '–' : value.toFixed(3);
}
