import type { Listening } from '@parley/a2a/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fastClock, readJson } from '../test/client.js';
import { ABILITIES } from './abilities.js';
import { startDemo } from './start-demo.js';

let listening: Listening;

beforeAll(async () => {
  listening = await startDemo({ port: 0, clock: fastClock });
});

afterAll(() => listening.close({ drainMs: 0 }));

const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('the routes for people', () => {
  test('a browser gets a page with the abilities, the card and commands', async () => {
    const response = await fetch(listening.url, { headers: asBrowser });
    const html = await response.text();
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    for (const { word } of ABILITIES) expect(html).toContain(`<b>${word}</b>`);
    expect(html).toContain('<h1>Parley demo</h1>');
    expect(html).toContain(`curl -N \\\n  ${listening.url}/message:stream`);
    expect(html).toContain('&quot;supportedInterfaces&quot;');
  });

  test('the page loads nothing, and only its own script and style may run', async () => {
    const response = await fetch(listening.url, { headers: asBrowser });
    const policy = response.headers.get('content-security-policy') ?? '';
    const html = await response.text();
    expect(policy).toContain("default-src 'none'");
    for (const [tag, rule] of [
      ['script', 'script-src'],
      ['style', 'style-src'],
    ]) {
      const [, text = ''] = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(html) ?? [];
      const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
      expect(policy).toContain(`${rule} 'sha256-${Buffer.from(digest).toString('base64')}'`);
    }
    expect(html).not.toMatch(/(src|href)="(https?:)?\/\//);
  });

  test('a terminal gets text, and HEAD gets no body', async () => {
    const response = await fetch(listening.url);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await response.text()).toContain(`curl -N ${listening.url}/message:stream`);
    expect(await (await fetch(listening.url, { method: 'HEAD', headers: asBrowser })).text()).toBe('');
  });

  test('programs POST JSON-RPC to the same path', async () => {
    const message = { messageId: '1', role: 'ROLE_USER', parts: [{ text: 'message' }] };
    const response = await fetch(listening.url, {
      method: 'POST',
      headers: { ...asBrowser, 'a2a-version': '1.0', 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'SendMessage', params: { message } }),
    });
    expect(await response.json()).toMatchObject({ id: 0, result: { message: { role: 'ROLE_AGENT' } } });
  });
});

describe('D31: pages of other origins', () => {
  test('pages on localhost may call the agent', async () => {
    for (const origin of ['http://localhost:5173', 'http://127.0.0.1', 'https://[::1]:8443']) {
      const response = await fetch(`${listening.url}/message:send`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'a2a-version,last-event-id' },
      });
      expect(response.headers.get('access-control-allow-origin')).toBe(origin);
    }
  });

  test('other pages may not call the agent', async () => {
    for (const origin of ['https://example.com', 'http://localhost.example.com', 'http://evil-localhost', 'null']) {
      const response = await fetch(`${listening.url}/.well-known/agent-card.json`, { headers: { origin } });
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
    }
  });
});

test('D31: it can listen beyond loopback, because it sets auth explicitly', async () => {
  const open = await startDemo({ port: 0, host: '0.0.0.0', clock: fastClock });
  try {
    const url = `http://127.0.0.1:${open.port}`;
    const card = await readJson(await fetch(`${url}/.well-known/agent-card.json`));
    expect(card.supportedInterfaces[0].url).toBe(url);
    expect(await (await fetch(url, { headers: asBrowser })).text()).toContain(`curl -N \\\n  ${url}/message:stream`);
  } finally {
    await open.close({ drainMs: 0 });
  }
});
