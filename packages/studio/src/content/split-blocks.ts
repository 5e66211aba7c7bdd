/**
 * Splits a growing text into settled pieces and one open piece, so that each frame processes only the open piece.
 * A split is at a blank line outside a fence, because a Markdown block ends there.
 */
export interface Piece {
  readonly kind: 'markdown' | 'code';
  readonly text: string;
  /** For code: the info string after the opening fence. */
  readonly language?: string;
}

export interface Pieces {
  /** The text that was split, to detect whether the next text only appends to it. */
  readonly source: string;
  readonly settled: readonly Piece[];
  /** Offset of the last, open piece. */
  readonly from: number;
}

export const NO_PIECES: Pieces = { source: '', settled: [], from: 0 };

/** Blocks are collected into pieces of this size: fewer and larger pieces use less memory. */
const PIECE_CHARACTERS = 2_000;
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/** Splits the text, continuing from the pieces of its beginning. */
export function cutPieces(before: Pieces, source: string): Pieces {
  const start = source.startsWith(before.source) ? before : NO_PIECES;
  const settled: Piece[] = [];
  let from = start.from;
  let next = cutOne(source, from);
  while (next) {
    settled.push(next.piece);
    from = next.end;
    next = cutOne(source, from);
  }
  return { source, from, settled: settled.length === 0 ? start.settled : [...start.settled, ...settled] };
}

/** The open piece as it is now; undefined if it is blank. */
export function openPiece({ source, from }: Pieces): Piece | undefined {
  const rest = source.slice(from);
  if (rest.trim() === '') return undefined;
  const fence = FENCE.exec(firstLine(rest));
  if (!fence || isInlineFence(fence)) return { kind: 'markdown', text: rest };
  const { body } = readFence(rest, fence);
  return { kind: 'code', text: body, language: fence[2]?.trim() };
}

function cutOne(source: string, from: number): { readonly piece: Piece; readonly end: number } | undefined {
  const rest = source.slice(from);
  const fence = FENCE.exec(firstLine(rest));
  if (fence && !isInlineFence(fence)) {
    const { body, end } = readFence(rest, fence);
    return end === undefined ? undefined : { piece: { kind: 'code', text: body, language: fence[2]?.trim() }, end: from + end };
  }
  const end = endOfProse(rest);
  return end === undefined ? undefined : { piece: { kind: 'markdown', text: rest.slice(0, end) }, end: from + end };
}

/** Offset after the last blank line before a fence, or before the piece is full; undefined if neither was found yet. */
function endOfProse(rest: string): number | undefined {
  let cut: number | undefined;
  let lineStart = 0;
  let inList = false;
  for (let lineEnd = rest.indexOf('\n'); lineEnd !== -1; lineEnd = rest.indexOf('\n', lineStart)) {
    const line = rest.slice(lineStart, lineEnd);
    if (lineStart > 0 && isFence(line)) return lineStart; // a fence may directly follow a paragraph
    lineStart = lineEnd + 1;
    if (line.trim() !== '') {
      inList = /^\s*([-*+]|\d+[.)])\s/.test(line) || (inList && /^\s/.test(line));
      continue;
    }
    // A loose list has blank lines between its items. Splitting it would restart its numbering.
    if (!inList || lineStart > 4 * PIECE_CHARACTERS) cut = lineStart;
    if (cut !== undefined && lineStart >= PIECE_CHARACTERS) return cut;
  }
  return undefined;
}

function readFence(rest: string, [, mark = '']: RegExpExecArray): { readonly body: string; readonly end?: number } {
  const begin = rest.indexOf('\n') + 1;
  if (begin === 0) return { body: '' };
  const close = new RegExp(`^ {0,3}${mark[0] === '~' ? '~' : '`'}{${mark.length},}[ \\t]*\\r?$`, 'm').exec(rest.slice(begin));
  if (!close) return { body: rest.slice(begin) };
  const closeEnd = rest.indexOf('\n', begin + close.index);
  const body = rest.slice(begin, begin + close.index).replace(/\r?\n$/, '');
  return closeEnd === -1 ? { body } : { body, end: closeEnd + 1 };
}

function firstLine(text: string): string {
  const end = text.indexOf('\n');
  return (end === -1 ? text : text.slice(0, end)).replace(/\r$/, '');
}

function isFence(line: string): boolean {
  const fence = FENCE.exec(line.replace(/\r$/, ''));
  return fence !== null && !isInlineFence(fence);
}

/** ```code``` on one line is not a fence. */
function isInlineFence([, mark = '', behind = '']: RegExpExecArray): boolean {
  return mark.startsWith('`') && behind.includes('`');
}
