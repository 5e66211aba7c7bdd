/** Under the condition `check-output`, every sent message is checked against the strict schema. Tests run this way. */
import { findViolations } from '../parse.js';
import type { MessageTypes } from '../types.js';
import { toSentence } from '../violations.js';

/** Throws when the text is not a strict message of this type. */
export function checkOutput(type: keyof MessageTypes, json: string): void {
  const violations = findViolations(type, JSON.parse(json));
  if (violations.length > 0) throw new Error(`Sent an invalid ${type}: ${toSentence(type, violations)}`);
}

/** Throws when a check of another kind finds a fault, such as that of the shapes of A2A 0.3. */
export function checkFaults(find: () => readonly string[]): void {
  const faults = find();
  if (faults.length > 0) throw new Error(`Sent an invalid message: ${faults.join('; ')}`);
}
