/**
 * Finds all violations in a refused value, whereas a validator reports only the first. It interprets the rules instead of using compiled
 * code, because a second set of validators would double the download of clients. It runs only after a validator has refused the value.
 */
import { RULES } from './generated/rules.js';
import { isObject, type Members } from './is-object.js';
import { isDeep } from './nesting.js';
import type { FindFaults } from './parse.js';
import type { Rule } from './rule.js';
import type { ValidationError } from './validator.js';
import { toViolations } from './violations.js';

/** Maximum number of violations in an error. */
const SHOWN = 20;
/** Counting stops here, so that a list of a million invalid items costs no more than a short one. */
const COUNTED = 100;

/** For `parseAs`: reports the first 20 violations and the number of further ones. */
export const findAllFaults: FindFaults = (type, value, first) => {
  const finder = new Finder();
  finder.check(RULES[type], value, '');
  // The validator decides: a refused value has at least the violation that the validator reported.
  const violations = toViolations(type, value, finder.errors.length === 0 ? first : finder.errors);
  const more = violations.length - SHOWN;
  if (more <= 0) return { violations };
  return { violations: violations.slice(0, SHOWN), rest: `and ${finder.isFull ? 'at least ' : ''}${more} more` };
};

class Finder {
  readonly errors: ValidationError[] = [];

  get isFull(): boolean {
    return this.errors.length >= COUNTED;
  }

  check(rule: Rule, value: unknown, path: string): void {
    if (this.isFull) return;
    if (rule.$ref !== undefined) this.check(RULES[rule.$ref], value, path);
    else if (!hasType(rule, value)) this.#add(path, 'type', { type: rule.type });
    else if (rule.shallow && isDeep(value)) this.#add(path, 'shallow', {});
    else this.#checkInside(rule, value, path);
  }

  #checkInside(rule: Rule, value: unknown, path: string): void {
    if (typeof value === 'string') this.#checkText(rule, value, path);
    else if (typeof value === 'number') this.#checkNumber(rule, value, path);
    else if (Array.isArray(value)) this.#checkList(rule, value, path);
    else if (isObject(value)) this.#checkMembers(rule, value, path);
  }

  #checkText(
    { enum: allowedValues, pattern, base64, minUnits = 0, maxUnits = Number.POSITIVE_INFINITY }: Rule,
    text: string,
    path: string,
  ): void {
    if (allowedValues !== undefined && !allowedValues.includes(text)) this.#add(path, 'enum', { allowedValues });
    if (pattern !== undefined && !new RegExp(pattern).test(text)) this.#add(path, 'pattern', {});
    if (base64 && (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text))) this.#add(path, 'base64', {});
    if (text.length < minUnits) this.#add(path, 'minUnits', { limit: minUnits });
    if (text.length > maxUnits) this.#add(path, 'maxUnits', { limit: maxUnits });
  }

  #checkNumber({ minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY }: Rule, value: number, path: string): void {
    if (value < minimum) this.#add(path, 'minimum', { limit: minimum });
    if (value > maximum) this.#add(path, 'maximum', { limit: maximum });
  }

  /** Items beyond the maximum length are one violation, not many. */
  #checkList({ items, minItems = 0, maxItems = Number.POSITIVE_INFINITY }: Rule, list: readonly unknown[], path: string): void {
    if (list.length < minItems) this.#add(path, 'minItems', { limit: minItems });
    if (list.length > maxItems) this.#add(path, 'maxItems', { limit: maxItems });
    if (items === undefined) return;
    for (let index = 0; index < Math.min(list.length, maxItems) && !this.isFull; index++)
      this.check(items, list[index], `${path}/${index}`);
  }

  #checkMembers({ required = [], exactlyOne, properties, additionalProperties }: Rule, members: Members, path: string): void {
    // One error for all missing members; `toViolations` finds their names.
    if (required.some((name) => members[name] === undefined)) this.#add(path, 'required', {});
    if (exactlyOne !== undefined && exactlyOne.filter((name) => members[name] !== undefined).length !== 1) {
      this.#add(path, 'exactlyOne', { limit: exactlyOne.join(', ') });
    }
    for (const name of Object.keys(members)) {
      if (this.isFull) return;
      const known = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (known !== undefined && members[name] === undefined) continue; // counts as absent
      const rule = known ?? additionalProperties;
      if (rule === false) this.#add(path, 'additionalProperties', { additionalProperty: name });
      else if (rule !== undefined) this.check(rule, members[name], `${path}/${escapePointer(name)}`);
    }
  }

  #add(instancePath: string, keyword: string, params: ValidationError['params']): void {
    if (!this.isFull) this.errors.push({ instancePath, keyword, params });
  }
}

function hasType({ type }: Rule, value: unknown): boolean {
  if (type === undefined) return true;
  if (type === 'object') return isObject(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
