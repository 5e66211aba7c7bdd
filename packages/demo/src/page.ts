/** The page at `/-/commands`: the agent, what it can do, and commands to copy. It needs no network; its only script copies text. */
import type { AgentCard } from '@parley/a2a';
import { ABILITIES, FALLBACK } from './abilities.js';
import type { Ability } from './ability.js';
import { type Command, streamCommand, type Target, toCommands } from './commands.js';

export const STYLE = `
:root { color-scheme: light dark; --ink: #1c2024; --soft: #60646c; --line: #e3e5e8; --back: #fcfcfd; --box: #f3f4f6; --accent: #0b6e4f; }
@media (prefers-color-scheme: dark) { :root { --ink: #edeef0; --soft: #a0a5ad; --line: #2e3135; --back: #111214; --box: #1b1d20; --accent: #5fd4a8; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 3rem 1.25rem 5rem; background: var(--back); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; }
h1 { margin: 0; font-size: 2rem; letter-spacing: -0.02em; }
h2 { margin: 3rem 0 1rem; font-size: 1.15rem; }
a { color: var(--accent); }
code { overflow-wrap: anywhere; }
.soft { color: var(--soft); }
.lead { margin: 0.5rem 0 0; max-width: 40rem; }
pre { margin: 0; padding: 0.75rem 1rem; overflow-x: auto; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--box); font: 0.8rem/1.6 ui-monospace, monospace; tab-size: 2; }
figure { position: relative; margin: 0 0 1.5rem; break-inside: avoid; }
figcaption { margin-bottom: 0.4rem; padding-right: 5rem; color: var(--soft); }
figure button { position: absolute; top: 0; right: 0; padding: 0.1rem 0.6rem; border: 1px solid var(--line); border-radius: 0.4rem; background: var(--back); color: var(--soft); font: inherit; font-size: 0.8rem; cursor: pointer; }
button:hover, button:focus-visible { color: var(--ink); border-color: var(--soft); }
summary { cursor: pointer; }
.commands { columns: 2 26rem; column-gap: 1.5rem; }
.words { border-top: 1px solid var(--line); }
.words details { border-bottom: 1px solid var(--line); }
.words summary { display: grid; grid-template-columns: 7rem 1fr auto; gap: 0 1rem; align-items: baseline; padding: 0.45rem 0; list-style: none; }
.words summary::-webkit-details-marker { display: none; }
.words summary::after { content: "+"; color: var(--soft); }
.words [open] > summary::after { content: "–"; }
.words summary:hover { color: var(--accent); }
.words b { font: 600 0.9rem ui-monospace, monospace; color: var(--accent); }
.words figure { margin: 0.25rem 0 1rem; }
.words button { top: 0.4rem; right: 0.4rem; }
.card summary { margin-bottom: 0.75rem; color: var(--soft); }
@media (max-width: 40rem) {
  body { padding: 2rem 1rem 4rem; }
  pre { padding: 0.75rem; font-size: 0.7rem; }
  .words summary { grid-template-columns: 1fr auto; }
  .words summary span { grid-column: 1 / -1; grid-row: 2; }
}
`;

// The clipboard is available only on localhost or https. Otherwise the text is selected, and copied with `execCommand` if that works.
export const SCRIPT = `
addEventListener('click', async ({ target }) => {
  if (!target.matches?.('figure button')) return;
  const text = target.parentElement.querySelector('pre');
  let said = 'copied';
  try {
    await navigator.clipboard.writeText(text.textContent);
  } catch {
    getSelection().selectAllChildren(text);
    if (!document.execCommand?.('copy')) said = 'selected';
  }
  target.textContent = said;
  setTimeout(() => { target.textContent = 'copy'; }, 1500);
});
`;

export function renderPage({ url, card }: { readonly url: string; readonly card: AgentCard }): string {
  const target: Target = { url, layout: 'narrow' };
  const commands = toCommands(target);
  const commandFor = ({ word, example = word }: Ability): string =>
    commands.find((command) => command.word === word)?.text ?? streamCommand(target, example);
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
<p class="soft">An A2A agent with JSON-RPC and HTTP+JSON at <a href="/"><code>${escapeHtml(url)}</code></a></p>
</header>
<main>
<h2>Try it</h2>
<p class="soft">Run these commands in a terminal:</p>
<div class="commands">
${commands.map(renderCommand).join('\n')}
</div>
<h2>What it can do</h2>
<p class="soft">Start a message with one of these words. Open a word to see its command.</p>
<div class="words">
${[...ABILITIES, FALLBACK].map((ability) => renderAbility(ability, commandFor(ability))).join('\n')}
</div>
<h2>Agent card</h2>
<details class="card" open>
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
  return `<figure><figcaption>${escapeHtml(title)}</figcaption>${renderText(text)}</figure>`;
}

function renderAbility({ word, about }: Ability, command: string): string {
  return `<details><summary><b>${escapeHtml(word)}</b> <span>${escapeHtml(about)}</span></summary><figure>${renderText(command)}</figure></details>`;
}

function renderText(text: string): string {
  return `<pre>${escapeHtml(text)}</pre><button type="button">copy</button>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
