/**
 * Checks an options object at startup: each value against a rule, and each name against the known names. A wrong value would fail later,
 * far from its cause; a misspelled name would be ignored.
 */
import { A2AError } from '../protocol/errors.js';

export interface OptionRule {
  /** Describes a valid value, as the rest of the sentence "must be …". */
  readonly expects: string;
  /** Absent: any value. Then the value is not read here, because a getter may count how often it is read. */
  accepts?(value: unknown): boolean;
  /** The rules of the members, if the option is itself an object of options. */
  readonly members?: OptionRules<object>;
}

/** One rule per option. The type makes the list complete: an option without a rule is a compile error. */
export type OptionRules<O extends object> = { readonly [K in keyof O]-?: OptionRule };

/** Throws INVALID_PARAMS for the first invalid option. `caller` is the function that received the options. */
export function checkOptions<O extends object>(caller: string, options: object, rules: OptionRules<O>, path = ''): void {
  checkOptionNames(caller, options, rules, path);
  for (const [name, rule] of Object.entries<OptionRule>(rules)) {
    if (rule.accepts === undefined) continue;
    const value: unknown = Reflect.get(options, name);
    if (value === undefined) continue;
    const full = `${path}${name}`;
    if (!rule.accepts(value)) throw new A2AError('INVALID_PARAMS', `${caller}: ${full} must be ${rule.expects}, got ${describe(value)}`);
    if (rule.members !== undefined && typeof value === 'object' && value !== null) checkOptions(caller, value, rule.members, `${full}.`);
  }
}

/** Throws INVALID_PARAMS for the first name that is not an option, with the nearest name that is one. */
export function checkOptionNames<O extends object>(caller: string, options: object, rules: OptionRules<O>, path = ''): void {
  const known = Object.keys(rules);
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) throw unknownOption(caller, `${path}${name}`, `${path}${nearest(name, known)}`);
  }
}

function unknownOption(caller: string, name: string, suggestion: string): A2AError {
  return new A2AError('INVALID_PARAMS', `${caller} has no option ${JSON.stringify(name)}: did you mean ${JSON.stringify(suggestion)}?`);
}

/** Describes the value in a few words. */
function describe(value: unknown): string {
  if (typeof value === 'string') return `the string ${JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)}`;
  if (typeof value === 'function') return value.name === '' ? 'a function' : `the function ${value.name}`;
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Promise) return 'a promise: await it first';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** The closest name. Additional letters of a longer name count little, so that `timeout` matches its longer form. */
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

/** Edit distance: the number of letters to add, remove or replace. */
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
