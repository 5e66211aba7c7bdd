/** Generates the ids that a server assigns. Receives the ids that are already known, so that ids can be derived from each other. */
export interface IdGenerators {
  taskId(known: { readonly contextId?: string }): string;
  contextId(known: { readonly taskId?: string }): string;
  messageId(): string;
}

/** The time in milliseconds has 12 hexadecimal digits; the 13th digit is the version. */
const TIME_DIGITS = 12;

let lastTime = Number.NaN;
let lastPrefix = '';

/**
 * UUID version 7: the time, then 74 random bits. Databases insert ids that grow in time at the end of their indexes, and random ids at
 * random places, which costs SQLite a third of a small task.
 */
function timeOrderedUuid(): string {
  const now = Date.now();
  if (now !== lastTime) {
    lastTime = now;
    const digits = now.toString(16).padStart(TIME_DIGITS, '0');
    lastPrefix = `${digits.slice(0, 8)}-${digits.slice(8)}-7`;
  }
  // Fresh random bits for each id, because anonymous callers rely on ids that cannot be guessed. Version 4 differs only in its first 13 digits.
  return lastPrefix + crypto.randomUUID().slice(lastPrefix.length);
}

export const randomIds: IdGenerators = {
  taskId: timeOrderedUuid,
  contextId: timeOrderedUuid,
  messageId: () => crypto.randomUUID(),
};
