/** From whatever a peer serves as its card to a card that can be used, or an error that names where it came from. */
import { A2AInvalidCardError, type FieldViolation } from '../protocol/errors.js';
import { normalise } from '../protocol/normalise.js';
import { findViolations } from '../protocol/parse.js';
import type { AgentCard } from '../protocol/types.js';

type Members = Readonly<Record<string, unknown>>;

// Required by the protocol and needless for calling. Encoders that leave out what is empty make cards without them.
const CARD = { description: '', version: '', capabilities: {}, defaultInputModes: [], defaultOutputModes: [], skills: [] };
const INTERFACE = { protocolVersion: '' };
const SKILL = { description: '', tags: [] };

/** Known members only. Empty where the peer left out something that is for people. Throws A2AInvalidCardError. */
export function readCard(value: unknown, url: string): AgentCard {
  const known = normalise('AgentCard', value);
  if (findViolations('AgentCard', known).length === 0) return known as AgentCard; // no violation: it is one
  const filled = isObject(known) ? fillCard(known, (members) => members) : known;
  const violations = isObject(filled)
    ? findViolations('AgentCard', fillCard(filled, withPlaceholders))
    : findViolations('AgentCard', filled);
  if (violations.length > 0) throw invalidCard(url, value, violations);
  return filled as AgentCard; // all that it lacks is allowed to be empty
}

/** The card with those members that may be empty given by `fill`, which is told what is empty. */
function fillCard(card: Members, fill: (members: Members, empty: Members) => Members): Members {
  const complete = (members: unknown, empty: Members): unknown => (isObject(members) ? fill({ ...empty, ...members }, empty) : members);
  const { supportedInterfaces, skills } = card;
  return {
    // Spread behind the check that it is an object.
    ...(complete(card, CARD) as Members),
    ...(Array.isArray(supportedInterfaces) && { supportedInterfaces: supportedInterfaces.map((one) => complete(one, INTERFACE)) }),
    ...(Array.isArray(skills) && { skills: skills.map((one) => complete(one, SKILL)) }),
  };
}

/** The validator takes nothing that is empty, so it is shown something else in those places. */
function withPlaceholders(members: Members, empty: Members): Members {
  const isEmpty = (name: string): boolean => members[name] === '' || (Array.isArray(members[name]) && members[name].length === 0);
  const placeholder = (name: string): unknown => (Array.isArray(empty[name]) ? ['-'] : '-');
  const names = Object.keys(empty).filter((name) => name !== 'skills' && isEmpty(name));
  return { ...members, ...Object.fromEntries(names.map((name) => [name, placeholder(name)])) };
}

function invalidCard(url: string, value: unknown, violations: readonly FieldViolation[]): A2AInvalidCardError {
  const faults = violations.map(({ field, description }) => `${field === '' ? 'it' : field} ${description}`).join('; ');
  const old = isObject(value) && typeof value.url === 'string' && typeof value.protocolVersion === 'string';
  const hint = old ? `. It looks like a card of A2A ${String(value.protocolVersion).slice(0, 16)}, which this client does not speak` : '';
  return new A2AInvalidCardError(`The card at ${url} can not be used: ${faults}${hint}`, { violations });
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
