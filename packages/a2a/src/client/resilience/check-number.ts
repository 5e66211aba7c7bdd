import { A2AError } from '../../protocol/errors.js';

/** Throws INVALID_PARAMS with the name and the value. Infinity is accepted, NaN is not. */
export function checkNumber(name: string, value: number, { min = 0, whole = false } = {}): number {
  const fits = typeof value === 'number' && value >= min && (!whole || Number.isInteger(value) || value === Number.POSITIVE_INFINITY);
  if (fits) return value;
  throw new A2AError('INVALID_PARAMS', `${name} must be a ${whole ? 'whole ' : ''}number of at least ${min}, got ${value}`);
}
