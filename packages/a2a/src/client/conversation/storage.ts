/** Where conversations are kept over reloads. */
import type { JsonValue } from '../../protocol/types.js';

/** Values are plain JSON. A storage may be shared with others: keys of ours begin with `parley:`. */
export interface ConversationStorage {
  /** What is there, whoever wrote it: look at it before you trust it. undefined: nothing. */
  get(key: string): Promise<unknown>;
  /** Rejects when there is no room; what was there before stays. Of several under way for one key, the last called wins. */
  set(key: string, value: JsonValue): Promise<void>;
  remove(key: string): Promise<void>;
  /** Those that begin with the prefix. */
  keys(prefix: string): Promise<readonly string[]>;
}
