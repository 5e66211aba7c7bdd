/**
 * From unknown JSON to a message. What is already in strict form is checked once and handed back as it is; only other values pay for
 * being brought into form.
 */
import { A2AError, type FieldViolation } from './errors.js';
import { validators } from './generated/validators.js';
import { normalise } from './normalise.js';
import type { MessageTypes } from './types.js';
import type { ValidationError } from './validator.js';
import { toSentence, toViolations } from './violations.js';

export { NESTING_LIMIT } from './nesting.js';

interface Faults {
  readonly violations: readonly FieldViolation[];
  /** What the message of the error adds when there are more than those. */
  readonly rest?: string;
}

/** What is wrong with a value that the validator has refused; `errors` is what the validator said. */
export type FindFaults = (type: keyof MessageTypes, value: unknown, errors: readonly ValidationError[]) => Faults;

const findFirstFault: FindFaults = (type, value, errors) => ({ violations: toViolations(type, value, errors) });

/**
 * The value as a message of that type, with known members only. Accepts what ProtoJSON accepts: snake_case names, numbers for enums, null
 * for absence. Throws INVALID_PARAMS that names the members at fault: by default the first fault, with `findAllFaults` all of them.
 */
export function parseAs<K extends keyof MessageTypes>(type: K, value: unknown, findFaults: FindFaults = findFirstFault): MessageTypes[K] {
  const validate = validators[type];
  // The validator has just shown that the value is one.
  if (validate(value)) return value as MessageTypes[K];
  const normal = normalise(type, value);
  if (validate(normal)) return normal as MessageTypes[K];
  const { violations, rest } = findFaults(type, normal, validate.errors ?? []);
  const sentence = [toSentence(type, violations), ...(rest === undefined ? [] : [rest])].join('; ');
  throw new A2AError('INVALID_PARAMS', `Invalid parameters: ${sentence}`, { violations });
}

/** Whether a value may be sent as such a message: strict form, no member that the protocol does not know. */
export function isValid(type: keyof MessageTypes, value: unknown): boolean {
  return validators[type](value);
}

/** What keeps a value from being in strict form; empty when nothing does. */
export function findViolations(type: keyof MessageTypes, value: unknown): readonly FieldViolation[] {
  const validate = validators[type];
  return validate(value) ? [] : toViolations(type, value, validate.errors ?? []);
}
