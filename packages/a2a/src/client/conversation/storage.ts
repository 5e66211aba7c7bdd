/** Storage for conversations across reloads. */
import type { JsonValue } from '../../protocol/types.js';

/** Values are plain JSON. The storage may be shared with other code: all keys of this library start with `parley:`. */
export interface ConversationStorage {
  /** The stored value, or undefined. Another program may have written it: validate it before use. */
  get(key: string): Promise<unknown>;
  /** Rejects if there is no space; the previous value then stays. Of several concurrent calls for one key, the last call wins. */
  set(key: string, value: JsonValue): Promise<void>;
  remove(key: string): Promise<void>;
  /** All keys that start with the prefix. */
  keys(prefix: string): Promise<readonly string[]>;
}
