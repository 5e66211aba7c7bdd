/** Where conversations are kept over reloads. */
import type { JsonValue } from '../../protocol/types.js';

/** Values are plain JSON. A storage may be shared with others: keys of ours begin with `parley:`. */
export interface ConversationStorage {
  get(key: string): Promise<unknown>;
  /** Rejects when there is no room; what was there before stays. */
  set(key: string, value: JsonValue): Promise<void>;
  remove(key: string): Promise<void>;
  /** Those that begin with the prefix. */
  keys(prefix: string): Promise<readonly string[]>;
}
