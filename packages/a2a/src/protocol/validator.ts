/** The type of generated/validators.ts: compiled functions that check whether a value is a strict message. */
import type { MessageTypes } from './types.js';

export interface ValidationError {
  /** JSON pointer to the invalid value. */
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

interface Validator {
  (value: unknown): boolean;
  /** The violation found in the last call; only the first one. */
  readonly errors?: readonly ValidationError[] | null;
}

export type Validators = { readonly [K in keyof MessageTypes]: Validator };
