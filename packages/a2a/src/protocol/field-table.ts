/** The type of generated/fields.ts: the facts that the lenient parser needs about each member. */
import type { MessageTypes } from './types.js';

export interface FieldRow {
  /** Name in JSON. */
  readonly json: string;
  /** Name in the .proto file, if it differs; parsers accept it too. */
  readonly proto?: string;
  readonly kind: 'string' | 'bytes' | 'bool' | 'int32' | 'enum' | 'timestamp' | 'struct' | 'value' | 'message';
  /** Name of the message or enum. */
  readonly type?: string;
  readonly list?: true;
  /** Maximum length of the list. */
  readonly max?: number;
  readonly map?: true;
  readonly required?: true;
  /** The default value ('' or number 0 of an enum) and absence are equivalent. */
  readonly implicit?: true;
  /** Exactly one of the marked members is set. */
  readonly oneof?: true;
}

export type FieldTable = { readonly [K in keyof MessageTypes]: readonly FieldRow[] };
export type EnumTable = Readonly<Record<string, readonly string[]>>;
