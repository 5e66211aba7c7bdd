/** Under the condition `check-output` every message that is sent is held against the strict schema. Tests run this way. */
import { findViolations } from '../parse.js';
import type { MessageTypes } from '../types.js';
import { toSentence } from '../violations.js';

/** Throws when the text is not a strict message of that type. */
export function checkOutput(type: keyof MessageTypes, json: string): void {
  const violations = findViolations(type, JSON.parse(json));
  if (violations.length > 0) throw new Error(`Sent a bad ${type}: ${toSentence(type, violations)}`);
}
