// Cells, verdicts and Markdown tables of every report.

/** @typedef {{ cells: readonly string[], isMet: boolean | undefined }} Row `isMet` is undefined if there is no goal */
/** @typedef {import('./goals.mjs').Goal} Goal */
/** @typedef {import('./compare.mjs').ByContestant} ByContestant */

/**
 * The cells of a goal, and whether all measured values meet it.
 * @param {ByContestant} values
 * @param {Goal | undefined} goal
 * @param {(value: number | undefined) => string} [show]
 * @returns {Row} two cells: the goal and the verdict
 */
export function toGoal(values, goal = {}, show = format) {
  const isMet = judge([
    [values.memory, goal.memory],
    [values.sqlite, goal.sqlite],
  ]);
  return { cells: [isMet === undefined ? '–' : `${show(goal.memory)} / ${show(goal.sqlite)}`, verdict(isMet)], isMet };
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
export function format(value) {
  if (value === undefined || Number.isNaN(value)) return '–';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return value.toFixed(Math.abs(value) < 10 ? 2 : 1);
}

/**
 * The cost above the floor.
 * @param {number | undefined} value
 */
export function formatExtra(value) {
  return value === undefined || value < 0 ? format(value) : `+${format(value)}`;
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
