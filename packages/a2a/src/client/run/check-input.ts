import { A2AError } from '../../protocol/errors.js';
import type { Input } from './run-options.js';

/** Throws immediately, with the name of the value, if it is not a valid input. */
export function checkInput(input: unknown, name: string): asserts input is Input {
  if (typeof input === 'string') return;
  const parts = Array.isArray(input) ? input : partsOf(input);
  if (Array.isArray(parts) && parts.length > 0) return;
  throw new A2AError('INVALID_PARAMS', `${name} must be a string, a list of at least one part, or a message with parts`);
}

function partsOf(input: unknown): unknown {
  return typeof input === 'object' && input !== null && 'parts' in input ? input.parts : undefined;
}
