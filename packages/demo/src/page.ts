/** The page at `/`: what the agent is, what it can do, and commands to copy. Needs no network, and no script but to copy. */
import type { AgentCard } from '@parley/a2a';
import { ABILITIES, FALLBACK } from './abilities.js';
import { type Command, streamCommand, toCommands } from './commands.js';

export const STYLE = `
:root { color-scheme: light dark; --ink: #1c2024; --soft: #60646c; --line: #e3e5e8; --back: #fcfcfd; --box: #f3f4f6; --accent: #0b6e4f; }
@media (prefers-color-scheme: dark) { :root { --ink: #edeef0; --soft: #a0a5ad; --line: #2e3135; --back: #111214; --box: #1b1d20; --accent: #5fd4a8; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 54rem; padding: 3rem 1.25rem 5rem; background: var(--back); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; }
h1 { margin: 0; font-size: 2rem; letter-spacing: -0.02em; }
h2 { margin: 3rem 0 1rem; font-size: 1.15rem; }
a { color: var(--accent); }
.soft { color: var(--soft); }
.lead { margin: 0.5rem 0 0; max-width: 40rem; }
dl { margin: 0; border-top: 1px solid var(--line); }
dl > div { display: grid; grid-template-columns: 7rem 1fr auto; gap: 1rem; align-items: baseline; padding: 0.45rem 0; border-bottom: 1px solid var(--line); }
dt { font: 600 0.9rem ui-monospace, monospace; color: var(--accent); }
dd { margin: 0; }
pre { margin: 0; padding: 1rem; overflow-x: auto; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--box); font: 0.8rem/1.6 ui-monospace, monospace; tab-size: 2; }
figure { position: relative; margin: 0 0 1.25rem; }
figcaption { margin-bottom: 0.4rem; color: var(--soft); }
figure button { position: absolute; top: 0; right: 0; }
button { padding: 0.1rem 0.6rem; border: 1px solid var(--line); border-radius: 0.4rem; background: none; color: var(--soft); font: inherit; font-size: 0.8rem; cursor: pointer; }
button:hover, button:focus-visible { color: var(--ink); border-color: var(--soft); }
summary { cursor: pointer; color: var(--soft); margin-bottom: 0.75rem; }
@media (max-width: 40rem) { dl > div { grid-template-columns: 1fr auto; } dd:nth-of-type(1) { grid-column: 1 / -1; grid-row: 2; } figcaption { padding-right: 4rem; } }
`;

export const SCRIPT = `
addEventListener('click', async ({ target }) => {
  const text = target.dataset?.copy;
  if (text === undefined) return;
  await navigator.clipboard.writeText(text);
  target.textContent = 'copied';
  setTimeout(() => { target.textContent = 'copy'; }, 1200);
});
`;

export function renderPage({ url, card }: { readonly url: string; readonly card: AgentCard }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${escapeHtml(card.name)}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${escapeHtml(card.name)}</h1>
<p class="lead">${escapeHtml(card.description)}</p>
<p class="soft">An A2A agent: JSON-RPC and HTTP+JSON at <code>${escapeHtml(url)}</code></p>
</header>
<main>
<h2>Try it</h2>
${toCommands(url).map(renderCommand).join('\n')}
<h2>What it answers to</h2>
<p class="soft">Put the word into the message; <em>copy</em> gives you the command.</p>
<dl>
${[...ABILITIES, FALLBACK].map(({ word, about, example = word }) => renderAbility(word, about, streamCommand(url, example))).join('\n')}
</dl>
<h2>Its card</h2>
<details open>
<summary>served at <a href="/.well-known/agent-card.json">/.well-known/agent-card.json</a></summary>
<pre>${escapeHtml(JSON.stringify(card, undefined, 2))}</pre>
</details>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

function renderCommand({ title, text }: Command): string {
  return `<figure><figcaption>${escapeHtml(title)}</figcaption>${copyButton(text)}<pre>${escapeHtml(text)}</pre></figure>`;
}

function renderAbility(word: string, about: string, command: string): string {
  return `<div><dt>${escapeHtml(word)}</dt><dd>${escapeHtml(about)}</dd><dd>${copyButton(command)}</dd></div>`;
}

function copyButton(text: string): string {
  return `<button type="button" data-copy="${escapeHtml(text)}">copy</button>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
