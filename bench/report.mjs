// Formats the table for the terminal and for docs/benchmarks.md, and judges the goals.
import { FLATNESS, GOALS } from './goals.mjs';

/** @typedef {import('./compare.mjs').Outcome} Outcome */

/** @typedef {{ cells: readonly string[], isMet: boolean | undefined }} Row `isMet` is undefined if there is no goal */

const HEADINGS = ['#', 'workload', 'floor', 'peer ÷ floor', 'peer SQL ÷ floor', 'memory ÷ floor', 'SQLite ÷ floor', 'goal', ''];

/** The columns of ratios; only the last two have goals. @type {readonly import('./server.mjs').Contestant[]} */
const SHOWN = ['peer', 'peer-sql', 'memory', 'sqlite'];

/**
 * @param {Outcome} outcome
 * @returns {Row}
 */
function toRow({ workload, values, ratios }) {
  const goal = GOALS[workload.id] ?? {};
  const isMet = judge([
    [ratios.memory, goal.memory],
    [ratios.sqlite, goal.sqlite],
  ]);
  const show = workload.by === 'difference' ? formatExtra : format;
  const floor = `${format(values.floor)} ${workload.unit}`;
  const cells = [workload.id, workload.title, floor, ...SHOWN.map((name) => show(ratios[name]))];
  const promised = `${show(goal.memory)} / ${show(goal.sqlite)}`;
  return { cells: [...cells, isMet === undefined ? '–' : promised, verdict(isMet)], isMet };
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
  const growths = SHOWN.map((name) => (many[name] ?? Number.NaN) / (few[name] ?? Number.NaN));
  const isMet = judge(growths.slice(-2).map((growth) => [growth, goal]));
  const cells = ['7 growth', `the ratio at ${of} ÷ that at ${to}`, '–', ...growths.map(format)];
  return [{ cells: [...cells, `${format(goal)} / ${format(goal)}`, verdict(isMet)], isMet }];
}

/**
 * Whether all measured values meet their goals; undefined if there is no goal.
 * @param {readonly (readonly [value: number | undefined, goal: number | undefined])[]} pairs
 */
function judge(pairs) {
  const promised = pairs.filter(([value, goal]) => value !== undefined && goal !== undefined);
  return promised.length === 0 ? undefined : promised.every(([value = Number.NaN, goal = 0]) => value <= goal);
}

/** @param {boolean | undefined} isMet */
function verdict(isMet) {
  return isMet === undefined ? '' : isMet ? 'met' : 'missed';
}

/**
 * Two or three digits; more would differ from run to run.
 * @param {number | undefined} value
 */
function format(value) {
  if (value === undefined || Number.isNaN(value)) return '–';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return value.toFixed(Math.abs(value) < 10 ? 2 : 1);
}

/**
 * The cost above the floor.
 * @param {number | undefined} value
 */
function formatExtra(value) {
  return value === undefined || value < 0 ? format(value) : `+${format(value)}`;
}

/**
 * @param {readonly Outcome[]} outcomes
 * @returns {{ table: string, missed: number }}
 */
export function report(outcomes) {
  const rows = [...outcomes.map(toRow), ...toFlatness(outcomes)];
  return { table: toTable(HEADINGS, rows), missed: rows.filter(({ isMet }) => isMet === false).length };
}

/**
 * A Markdown table with aligned columns, readable on a terminal.
 * @param {readonly string[]} headings
 * @param {readonly Pick<Row, 'cells'>[]} rows
 */
export function toTable(headings, rows) {
  const lines = [headings, ...rows.map(({ cells }) => cells)];
  const widths = headings.map((_, column) => Math.max(3, ...lines.map((cells) => cells[column]?.length ?? 0)));
  /** @param {readonly string[]} cells */
  const toLine = (cells) => `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`;
  const [first = [], ...rest] = lines;
  return [toLine(first), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rest.map(toLine)].join('\n');
}
