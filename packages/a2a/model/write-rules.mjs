/** Writes the schema as data, in the keywords of the compiled validators. It is used to find the violations in a refused request. */
import { toQuickKeywords } from './quick-keywords.mjs';

export function writeRules(schema) {
  const rows = toQuickKeywords(schema).map(([name, rule]) => `  ${name}: ${JSON.stringify(rule)},`);
  return [
    "import type { Rules } from '../rule.js';",
    '',
    '/** The rules of each message; the validators are compiled from the same schema. */',
    'export const RULES: Rules = {',
    ...rows,
    '};',
  ].join('\n');
}
