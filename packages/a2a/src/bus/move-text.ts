/**
 * The text format of moves between nodes. Texts are ASCII only, whatever the refs contain, so that their length is their size and any
 * database encoding accepts them. A text begins with its sender, so that a node recognizes its own texts without parsing.
 */
import type { Scope } from '../stores/store.js';
import type { Move } from './bus.js';

/** A message to the other nodes. `look`: some moves were dropped, so check all tasks. `beat`: no content; proves that messages arrive. */
export type BusMessage = { readonly kind: 'moves'; readonly moves: readonly Move[] } | { readonly kind: 'look' | 'beat' };

const SENDER_CHARS = 12;

/** A random name for one bus instance. */
export function newSender(): string {
  return crypto.randomUUID().replaceAll('-', '').slice(0, SENDER_CHARS);
}

export const lookText = (sender: string): string => `${sender}"look"`;
/** The nonce lets the sender recognize this very text. */
export const beatText = (sender: string, nonce = ''): string => `${sender}"beat${nonce}"`;

/** Encodes the moves, in order, as texts of at most `maxChars`. If a single move is longer than that, a `look` is added instead. */
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
      last = undefined; // the open group belongs to another scope
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

/** Parses a text of another node; undefined if no node would send it. */
export function parseText(text: string): BusMessage | undefined {
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
    moves.push({ ref: { agent, tenant, owner, id }, seq: seq as number }); // an integer, as checked above
  }
  return true;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all but ASCII is meant
const BEYOND_ASCII = /[^\u0000-\u007f]/g;

/** JSON in ASCII. JSON.stringify already escapes control characters and lone surrogates. */
function quote(name: string): string {
  const json = JSON.stringify(name);
  return json.replace(BEYOND_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
