/** The type of generated/rules.ts: the schema of each message, with the keywords that the validators are compiled from. */
import type { MessageTypes } from './types.js';

export interface Rule {
  /** Use the rules of this message instead. */
  readonly $ref?: keyof MessageTypes;
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'boolean';
  readonly required?: readonly string[];
  /** Exactly one of these members is set. */
  readonly exactlyOne?: readonly string[];
  readonly properties?: Readonly<Record<string, Rule>>;
  /** The rule for members that `properties` does not name; false forbids them. */
  readonly additionalProperties?: false | Rule;
  readonly items?: Rule;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly base64?: true;
  readonly minUnits?: number;
  readonly maxUnits?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Not nested deeper than the limit. */
  readonly shallow?: true;
}

export type Rules = { readonly [K in keyof MessageTypes]: Rule };
