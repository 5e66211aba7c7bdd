/**
 * Checks an object of options at start: each value against a rule, and each name against the names that there are. A wrong value would fail
 * later, far from its cause; a misspelled name would be ignored.
 */
import { A2AError } from '../protocol/errors.js';

export interface OptionRule {
  /** What the value must be, as the rest of a sentence: "must be …". */
  readonly expects: string;
  accepts(value: unknown): boolean;
  /** For an option that is an object of options itself. */
  readonly members?: OptionRules<object>;
}

/** One rule per option. The type makes the list complete: an option without a rule does not compile. */
export type OptionRules<O extends object> = { readonly [K in keyof O]-?: OptionRule };

/** Throws INVALID_PARAMS for the first option that cannot work. `caller` is the function that was given the options. */
export function checkOptions<O extends object>(caller: string, options: object, rules: OptionRules<O>, path = ''): void {
  const known = new Map<string, OptionRule>(Object.entries(rules));
  for (const name of Object.keys(options)) {
    if (!known.has(name)) throw unknownOption(caller, `${path}${name}`, `${path}${nearest(name, [...known.keys()])}`);
  }
  for (const [name, rule] of known) {
    const value: unknown = Reflect.get(options, name);
    if (value === undefined) continue;
    const full = `${path}${name}`;
    if (!rule.accepts(value)) throw new A2AError('INVALID_PARAMS', `${caller}: ${full} must be ${rule.expects}, got ${describe(value)}`);
    if (rule.members !== undefined && typeof value === 'object' && value !== null) checkOptions(caller, value, rule.members, `${full}.`);
  }
}

function unknownOption(caller: string, name: string, suggestion: string): A2AError {
  return new A2AError('INVALID_PARAMS', `${caller} has no option ${JSON.stringify(name)}: did you mean ${JSON.stringify(suggestion)}?`);
}

/** The value in a few words. */
function describe(value: unknown): string {
  if (typeof value === 'string') return `the string ${JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)}`;
  if (typeof value === 'function') return value.name === '' ? 'a function' : `the function ${value.name}`;
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Promise) return 'a promise: await it first';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** The name that takes the fewest changes; letters that a longer name has in addition count little, so that `timeout` finds its longer form. */
function nearest(name: string, names: readonly string[]): string {
  let best = { name: '', cost: Number.POSITIVE_INFINITY };
  for (const candidate of names) {
    const [one, other] = [name.toLowerCase(), candidate.toLowerCase()];
    const contained = one.length > 2 && (other.includes(one) || one.includes(other));
    const cost = contained ? Math.abs(one.length - other.length) / 4 : distance(one, other);
    if (cost < best.cost) best = { name: candidate, cost };
  }
  return best.name;
}

/** How many letters have to be added, removed or replaced. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at += 1) {
    const above = row;
    row = [at];
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = (above[column - 1] ?? 0) + (one[at - 1] === other[column - 1] ? 0 : 1);
      row.push(Math.min(replaced, (above[column] ?? 0) + 1, (row[column - 1] ?? 0) + 1));
    }
  }
  return row[other.length] ?? 0;
}
