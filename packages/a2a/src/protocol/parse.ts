/** Parses unknown JSON to a message. A value in strict form is checked once and returned as it is; only other values are normalized. */
import { A2AError, type FieldViolation } from './errors.js';
import { validators } from './generated/validators.js';
import { normalise } from './normalise.js';
import type { MessageTypes } from './types.js';
import type { ValidationError } from './validator.js';
import { toSentence, toViolations } from './violations.js';

export { NESTING_LIMIT } from './nesting.js';

interface Faults {
  readonly violations: readonly FieldViolation[];
  /** Added to the message of the error when there are more violations. */
  readonly rest?: string;
}

/** Describes the violations of a value that the validator has refused; `errors` are the validator's own. */
export type FindFaults = (type: keyof MessageTypes, value: unknown, errors: readonly ValidationError[]) => Faults;

const findFirstFault: FindFaults = (type, value, errors) => ({ violations: toViolations(type, value, errors) });

/**
 * Returns the value as a message of this type, with known members only. Accepts everything that ProtoJSON accepts: snake_case names,
 * numbers for enums, null for absence. Throws INVALID_PARAMS that names the invalid members: by default the first, with `findAllFaults` all
 * of them.
 */
export function parseAs<K extends keyof MessageTypes>(type: K, value: unknown, findFaults: FindFaults = findFirstFault): MessageTypes[K] {
  const validate = validators[type];
  // The validator has just confirmed the type.
  if (validate(value)) return value as MessageTypes[K];
  const normal = normalise(type, value);
  if (validate(normal)) return normal as MessageTypes[K];
  const { violations, rest } = findFaults(type, normal, validate.errors ?? []);
  const sentence = [toSentence(type, violations), ...(rest === undefined ? [] : [rest])].join('; ');
  throw new A2AError('INVALID_PARAMS', `Invalid parameters: ${sentence}`, { violations });
}

/** Whether a value may be sent as this message: strict form, no unknown members. */
export function isValid(type: keyof MessageTypes, value: unknown): boolean {
  return validators[type](value);
}

/** The violations of the strict form; empty when there are none. */
export function findViolations(type: keyof MessageTypes, value: unknown): readonly FieldViolation[] {
  const validate = validators[type];
  return validate(value) ? [] : toViolations(type, value, validate.errors ?? []);
}
