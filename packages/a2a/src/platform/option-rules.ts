/** The rules that most options need. */
import type { OptionRule, OptionRules } from './check-options.js';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);

/** For options that are checked elsewhere, with better messages. */
export const anything: OptionRule = { expects: 'anything' };

export const aFunction: OptionRule = { expects: 'a function', accepts: (value) => typeof value === 'function' };

export const aBoolean: OptionRule = { expects: 'true or false', accepts: (value) => typeof value === 'boolean' };

export const aText: OptionRule = {
  expects: 'a string that is not empty',
  accepts: (value) => typeof value === 'string' && value !== '',
};

export const aPositiveNumber: OptionRule = {
  expects: 'a positive number',
  accepts: (value) => typeof value === 'number' && Number.isFinite(value) && value > 0,
};

export const functions: OptionRule = {
  expects: 'a list of functions',
  accepts: (value) => Array.isArray(value) && value.every((item) => typeof item === 'function'),
};

export function oneOf(...words: readonly string[]): OptionRule {
  const quoted = words.map((word) => `'${word}'`);
  return { expects: quoted.join(' or '), accepts: (value) => words.some((word) => word === value) };
}

/** An object that has these methods, its own or inherited. */
export function withMethods(expects: string, ...methods: readonly string[]): OptionRule {
  return { expects, accepts: (value) => isObject(value) && methods.every((method) => typeof Reflect.get(value, method) === 'function') };
}

/** An object of options. `none` (false or null) is accepted too, for options that can be switched off. */
export function anObject<O extends object>(members: OptionRules<O>, none?: false | null): OptionRule {
  const expects = none === undefined ? 'an object' : `an object or ${none}`;
  return { expects, accepts: (value) => isObject(value) || (none !== undefined && value === none), members };
}
