import { withoutTrailingSlashes } from '../platform/trailing-slashes.js';

const CARD_PATH = '/.well-known/agent-card.json';
const OLD_CARD_PATH = '/.well-known/agent.json';

/**
 * Returns the URL of the card: below the agent's own path, since many agents may share a host. A URL that ends in `.json` is the card
 * itself.
 */
export function cardUrlOf(url: string, cardPath?: string): string {
  if (cardPath !== undefined && URL.canParse(cardPath)) return new URL(cardPath).href;
  const card = new URL(url);
  card.hash = '';
  if (cardPath === undefined && card.pathname.endsWith('.json')) return card.href;
  const path = cardPath ?? CARD_PATH;
  card.pathname = `${withoutTrailingSlashes(card.pathname)}/${path.replace(/^\/+/, '')}`;
  return card.href;
}

/** Returns where the card was before A2A 0.3; undefined if the caller chose the address of the card. */
export function oldCardUrlOf(url: string, cardPath?: string): string | undefined {
  return cardPath !== undefined || new URL(url).pathname.endsWith('.json') ? undefined : cardUrlOf(url, OLD_CARD_PATH);
}
