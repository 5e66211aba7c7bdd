/** The schema as data, in the keywords of the compiled validators: what is wrong with a refused request is looked up in it. */
import { toQuickKeywords } from './quick-keywords.mjs';

export function writeRules(schema) {
  const rows = toQuickKeywords(schema).map(([name, rule]) => `  ${name}: ${JSON.stringify(rule)},`);
  return [
    "import type { Rules } from '../rule.js';",
    '',
    '/** Checks by message; the validators are compiled from the same. */',
    'export const RULES: Rules = {',
    ...rows,
    '};',
  ].join('\n');
}
