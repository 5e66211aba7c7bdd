/**
 * How moves travel between nodes: texts of ASCII characters, whatever the refs contain, so that their length is their size and any
 * encoding of a database takes them. A text begins with its sender: who sent it knows its own by that, without reading on.
 */
import type { Scope } from '../stores/store.js';
import type { Move } from './bus.js';

/** What a node says to the others. `look`: something moved that did not fit, so look at everything. `beat`: nothing, only that it is heard. */
export type Saying = { readonly kind: 'moves'; readonly moves: readonly Move[] } | { readonly kind: 'look' | 'beat' };

const SENDER_CHARS = 12;

/** A random name for one end of a bus. */
export function newSender(): string {
  return crypto.randomUUID().replaceAll('-', '').slice(0, SENDER_CHARS);
}

export const lookText = (sender: string): string => `${sender}"look"`;
/** With something random in it, its sender knows it again. */
export const beatText = (sender: string, nonce = ''): string => `${sender}"beat${nonce}"`;

/** Texts of at most `maxChars` that carry these moves in order; `look` is among them when one of the moves alone is longer. */
export function toTexts(sender: string, moves: Iterable<Move>, maxChars: number): readonly string[] {
  const texts: string[] = [];
  let body = '';
  let last: Move | undefined;
  let isLookNeeded = false;
  for (const move of moves) {
    const { ref, seq } = move;
    const item = `,${quote(ref.id)},${seq}`;
    if (body !== '' && last !== undefined && isSameScope(last.ref, ref)) {
      if (sender.length + body.length + item.length + 2 <= maxChars) {
        body += item;
        continue;
      }
    }
    last = move;
    const group = `[${quote(ref.agent)},${quote(ref.tenant)},${quote(ref.owner)}${item}`;
    if (sender.length + group.length + 3 > maxChars) {
      isLookNeeded = true;
      last = undefined; // the group that is open is of somebody else
      continue;
    }
    if (sender.length + body.length + group.length + 4 <= maxChars) {
      body = body === '' ? `[${group}` : `${body}],${group}`;
      continue;
    }
    texts.push(`${sender}${body}]]`);
    body = `[${group}`;
  }
  if (body !== '') texts.push(`${sender}${body}]]`);
  if (isLookNeeded) texts.push(lookText(sender));
  return texts;
}

/** What another node said; undefined for what no node says. */
export function parseText(text: string): Saying | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text.slice(SENDER_CHARS));
  } catch {
    return undefined;
  }
  if (body === 'look') return { kind: 'look' };
  if (typeof body === 'string' && body.startsWith('beat')) return { kind: 'beat' };
  if (!Array.isArray(body) || body.length === 0) return undefined;
  const moves: Move[] = [];
  for (const group of body as unknown[]) if (!readGroup(group, moves)) return undefined;
  return { kind: 'moves', moves };
}

const isSameScope = (a: Scope, b: Scope): boolean => a.agent === b.agent && a.tenant === b.tenant && a.owner === b.owner;

/** `[agent, tenant, owner, id, seq, id, seq, …]`. */
function readGroup(group: unknown, moves: Move[]): boolean {
  if (!Array.isArray(group) || group.length < 5 || group.length % 2 !== 1) return false;
  const [agent, tenant, owner] = group as unknown[];
  if (typeof agent !== 'string' || typeof tenant !== 'string' || typeof owner !== 'string') return false;
  for (let index = 3; index < group.length; index += 2) {
    const id: unknown = group[index];
    const seq: unknown = group[index + 1];
    if (typeof id !== 'string' || !Number.isSafeInteger(seq) || (seq as number) < 0) return false;
    moves.push({ ref: { agent, tenant, owner, id }, seq: seq as number }); // an integer, see above
  }
  return true;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all but ASCII is meant
const BEYOND_ASCII = /[^\u0000-\u007f]/g;

/** As JSON, in ASCII; what JSON itself escapes (controls, halves of characters) is so already. */
function quote(name: string): string {
  const json = JSON.stringify(name);
  return json.replace(BEYOND_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
