/** What a card asks its callers for. A skill's own requirements are not read: which skill a message is for, only the agent knows. */
import type { AgentCard, SecurityScheme } from '../../protocol/types.js';
import type { DeclaredScheme } from './credentials.js';

/** Schemes that are needed together; none: anonymous is fine. */
export interface Alternative {
  readonly schemes: readonly DeclaredScheme[];
}

/** The card's alternatives in its order. Those that name a scheme the card does not define can not be met and are left out. */
export function alternativesOf(card: AgentCard | undefined): readonly Alternative[] {
  return (card?.securityRequirements ?? []).flatMap(({ schemes = {} }) => {
    const found = Object.entries(schemes).map(([name, scopes]) => lookUp(card, name, scopes?.list ?? []));
    return found.every((each) => each !== undefined) ? [{ schemes: found }] : [];
  });
}

/** The first scheme that fits: of those the card requires, then of those it only defines. */
export function findScheme(card: AgentCard | undefined, fits: (scheme: SecurityScheme) => boolean): DeclaredScheme | undefined {
  const required = alternativesOf(card).flatMap(({ schemes }) => schemes);
  const defined = Object.entries(card?.securitySchemes ?? {}).map(([name, scheme]) => ({ name, scheme, scopes: [] }));
  return [...required, ...defined].find(({ scheme }) => fits(scheme));
}

/** Own members only: a card may call a scheme `constructor`. */
function lookUp(card: AgentCard | undefined, name: string, scopes: readonly string[]): DeclaredScheme | undefined {
  const schemes = card?.securitySchemes ?? {};
  const scheme = Object.hasOwn(schemes, name) ? schemes[name] : undefined;
  return scheme && { name, scheme, scopes };
}
