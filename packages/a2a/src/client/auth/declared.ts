/**
 * Reads the security requirements of a card. Requirements of single skills are ignored: only the agent knows which skill a message is for.
 */
import type { AgentCard, SecurityScheme } from '../../protocol/types.js';
import type { DeclaredScheme } from './credentials.js';

/** Schemes that are all required together. Empty: anonymous calls are allowed. */
export interface Alternative {
  readonly schemes: readonly DeclaredScheme[];
}

/**
 * Returns the alternatives in the order of the card. Alternatives with a scheme that the card does not define cannot be met and are
 * omitted.
 */
export function alternativesOf(card: AgentCard | undefined): readonly Alternative[] {
  return (card?.securityRequirements ?? []).flatMap(({ schemes = {} }) => {
    const found = Object.entries(schemes).map(([name, scopes]) => lookUp(card, name, scopes?.list ?? []));
    return found.every((each) => each !== undefined) ? [{ schemes: found }] : [];
  });
}

/** Returns the first fitting scheme: first among the required ones, then among all defined ones. */
export function findScheme(card: AgentCard | undefined, fits: (scheme: SecurityScheme) => boolean): DeclaredScheme | undefined {
  const required = alternativesOf(card).flatMap(({ schemes }) => schemes);
  const defined = Object.entries(card?.securitySchemes ?? {}).map(([name, scheme]) => ({ name, scheme, scopes: [] }));
  return [...required, ...defined].find(({ scheme }) => fits(scheme));
}

/** Own properties only: a card may name a scheme `constructor`. */
function lookUp(card: AgentCard | undefined, name: string, scopes: readonly string[]): DeclaredScheme | undefined {
  const schemes = card?.securitySchemes ?? {};
  const scheme = Object.hasOwn(schemes, name) ? schemes[name] : undefined;
  return scheme && { name, scheme, scopes };
}
