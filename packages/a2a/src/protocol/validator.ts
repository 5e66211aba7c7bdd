/** The form of generated/validators.ts: compiled checks that tell whether a value is a strict message. */
import type { MessageTypes } from './types.js';

export interface ValidationError {
  /** JSON pointer to the value at fault. */
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

interface Validator {
  (value: unknown): boolean;
  /** What was wrong in the call just made; the first fault only. */
  readonly errors?: readonly ValidationError[] | null;
}

export type Validators = { readonly [K in keyof MessageTypes]: Validator };
