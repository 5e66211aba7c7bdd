/** The routes for people: Studio and a page of commands for browsers, plain text for terminals. Programs POST to `/`. */
import { createHash } from 'node:crypto';
import type { OwnRoute, WireReply, WireRequest } from '@parley/a2a/node';
import type { Agent } from '@parley/a2a/server';
import { ASSET_PATH, type BuiltSite } from './built-site.js';
import { renderPage, SCRIPT, STYLE } from './page.js';
import { renderText } from './welcome.js';

// The page may only run its own script and style, and loads nothing.
const POLICY = `default-src 'none'; img-src data:; style-src '${digest(STYLE)}'; script-src '${digest(SCRIPT)}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Without Studio, the page of commands is also at `/`. */
export function frontDoor(agent: Agent, studio?: BuiltSite): readonly OwnRoute[] {
  const showCommands = (request: WireRequest): WireReply => (wantsPage(request) ? commandsPage(agent, request) : plainText(request));
  const commands = { path: '/-/commands', handle: showCommands };
  if (studio === undefined) return [{ path: '/', handle: showCommands }, commands];
  return [
    { path: '/', handle: (request) => (wantsPage(request) ? studio.page(request) : plainText(request)) },
    { path: `${ASSET_PATH}*`, handle: studio.asset },
    commands,
  ];
}

function wantsPage(request: WireRequest): boolean {
  return (request.header('accept') ?? '').includes('text/html');
}

const COMMON = { 'cache-control': 'no-cache', vary: 'Accept', 'x-content-type-options': 'nosniff' };

function plainText({ origin }: WireRequest): WireReply {
  return { status: 200, headers: { ...COMMON, 'content-type': 'text/plain; charset=utf-8' }, body: renderText(origin) };
}

function commandsPage(agent: Agent, { origin }: WireRequest): WireReply {
  const card = agent.cardAt({ url: origin, bindings: ['JSONRPC', 'HTTP+JSON'] });
  return {
    status: 200,
    headers: { ...COMMON, 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY },
    body: renderPage({ url: origin, card }),
  };
}

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
