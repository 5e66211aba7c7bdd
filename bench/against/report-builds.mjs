// Formats the comparison of two builds, and judges it.
import { toTable } from '../table.mjs';

/**
 * @param {readonly import('./compare-builds.mjs').Comparison[]} comparisons
 * @param {{ name: string, bound: number }} options name of the other build
 * @returns {{ table: string, slower: number }} `slower`: the number of ratios above the bound, or not measured
 */
export function reportBuilds(comparisons, { name, bound }) {
  const rows = comparisons.map(({ workload, store, ours, other, ratio, spread }) => {
    const isMet = ratio <= bound;
    const [lower, upper] = spread.map((value) => value.toFixed(3));
    const cells = [workload.id, workload.title, store, ratio.toFixed(3), `${lower}–${upper}`];
    return { isMet, cells: [...cells, `${ours.toFixed(1)} ${workload.unit}`, other.toFixed(1), isMet ? '' : 'slower'] };
  });
  const headings = ['#', 'workload', 'store', `ours ÷ ${name}`, 'quartiles', 'ours', name, ''];
  return { table: toTable(headings, rows), slower: rows.filter(({ isMet }) => !isMet).length };
}
