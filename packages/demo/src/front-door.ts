/** GET `/`: a page for people with a browser, text for people with a terminal. Programs POST to the same path. */
import { createHash } from 'node:crypto';
import type { WireReply, WireRequest } from '@parley/a2a/node';
import type { Agent } from '@parley/a2a/server';
import { renderPage, SCRIPT, STYLE } from './page.js';
import { renderText } from './welcome.js';

// The page may run its own few lines and load nothing.
const POLICY = `default-src 'none'; img-src data:; style-src '${digest(STYLE)}'; script-src '${digest(SCRIPT)}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

export function answerVisitor(agent: Agent, request: WireRequest): WireReply {
  const url = request.origin;
  const common = { 'cache-control': 'no-cache', vary: 'Accept', 'x-content-type-options': 'nosniff' };
  if (!(request.header('accept') ?? '').includes('text/html')) {
    return { status: 200, headers: { ...common, 'content-type': 'text/plain; charset=utf-8' }, body: renderText(url) };
  }
  const card = agent.cardAt({ url, bindings: ['JSONRPC', 'HTTP+JSON'] });
  return {
    status: 200,
    headers: { ...common, 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY },
    body: renderPage({ url, card }),
  };
}

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
