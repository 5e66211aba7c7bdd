/** Checks the address or card that a client is created with. Most mistakes are made here, so each error says what to do. */
import { A2AError, A2AInvalidCardError, isA2AError } from '../protocol/errors.js';
import type { AgentCard } from '../protocol/types.js';
import { cardUrlOf, oldCardUrlOf } from './card-url.js';
import type { Target } from './peer.js';
import { BINDINGS, homeOf } from './select-interface.js';
import { readAs } from './transports/read-response.js';

const EXAMPLE = 'such as http://localhost:4000';

/** Throws INVALID_PARAMS for an invalid address and A2AInvalidCardError for an object that is not a card. */
export function toTarget(urlOrCard: string | URL | AgentCard, cardPath: string | undefined): Target {
  if (typeof urlOrCard === 'string' || urlOrCard instanceof URL) {
    const url = checkAddress(String(urlOrCard));
    return { url, cardUrl: cardUrlOf(url, cardPath), oldCardUrl: oldCardUrlOf(url, cardPath), preset: undefined };
  }
  const preset = checkCard(urlOrCard);
  const url = preset.supportedInterfaces.find((at) => at.url !== '')?.url;
  if (url === undefined) throw new A2AInvalidCardError(`The card of ${preset.name} has no interface with a URL`);
  // Cards are served over HTTP. The address of another binding may be on another host, or have no scheme.
  const home = homeOf(preset, { speaks: [BINDINGS.jsonrpc, BINDINGS.rest] }) ?? url;
  return { url, cardUrl: URL.canParse(home) && home.includes('://') ? cardUrlOf(home, cardPath) : home, preset };
}

export function checkAddress(text: string): string {
  if (text.trim() === '') throw invalid(`The address of the agent is ${text === '' ? 'empty' : 'blank'}: give its URL, ${EXAMPLE}`);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !isHttp(url)) throw invalid(`The address ${quote(text)} is not an http or https URL${adviceFor(text)}`);
  if (url.username !== '' || url.password !== '') throw invalid('The URL contains a user name: pass credentials as an option instead');
  return text;
}

function adviceFor(text: string): string {
  if (/^\/(?!\/)/.test(text)) return `, but only a path: put the origin of the agent before it, ${EXAMPLE}${withoutSecrets(text)}`;
  const guess = guessOf(text);
  return guess === undefined ? `: give the whole URL, ${EXAMPLE}` : `: did you mean ${guess}?`;
}

/** Returns the address with the missing scheme, or undefined if something else is wrong with it. */
function guessOf(text: string): string | undefined {
  const rest = withoutSecrets(text.trim()).replace(/^\/\//, '');
  if (/\s/.test(rest) || rest.includes('://')) return undefined;
  const guess = `http://${rest}`;
  const host = URL.canParse(guess) ? new URL(guess).hostname : '';
  const isLocal = host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^[\d.]+$/.test(host);
  // A single word may be anything. With a port or a dot it is a host.
  if (isLocal || (/^[\w-]+:\d+(?:\/|$)/.test(rest) && host !== '')) return guess;
  return host.includes('.') ? `https://${rest}` : undefined;
}

function checkCard(value: unknown): AgentCard {
  if (typeof value !== 'object' || value === null) {
    const what = value === undefined || value === null ? String(value) : `a ${typeof value}`;
    throw invalid(`The address of the agent is ${what}: give its URL, ${EXAMPLE}, or its card`);
  }
  if ('then' in value && typeof value.then === 'function') throw invalid('The address of the agent is a Promise: await it first');
  try {
    return readAs('AgentCard', value, 'GetAgentCard');
  } catch (cause) {
    const fault = isA2AError(cause) && cause.cause instanceof Error ? cause.cause.message : 'it cannot be read';
    throw new A2AInvalidCardError(`The object given as the agent's card is not an AgentCard: ${fault}. Give a whole card, or a URL`, {
      cause,
    });
  }
}

function isHttp({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}

function quote(text: string): string {
  return JSON.stringify(withoutSecrets(text).slice(0, 200));
}

/** User names and queries may contain secrets, and errors are logged. */
function withoutSecrets(text: string): string {
  return text.replace(/[?#].*$/s, '').replace(/^([\w+.-]+:\/\/)?[^/]*@/, '$1');
}

function invalid(message: string): A2AError {
  return new A2AError('INVALID_PARAMS', message);
}
