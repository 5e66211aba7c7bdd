/**
 * Cuts a text that grows into pieces that do not change any more and one that does, so that each frame works on the last piece only.
 * Cuts are at blank lines outside of fences: there a Markdown block ends.
 */
export interface Piece {
  readonly kind: 'markdown' | 'code';
  readonly text: string;
  /** Of code: what stands behind the opening fence. */
  readonly language?: string;
}

export interface Pieces {
  /** What was cut, to see whether the next text only adds to it. */
  readonly source: string;
  readonly settled: readonly Piece[];
  /** Where the last, open piece begins. */
  readonly from: number;
}

export const NO_PIECES: Pieces = { source: '', settled: [], from: 0 };

/** Blocks are gathered up to this size: fewer, larger pieces cost less to keep. */
const PIECE_CHARACTERS = 2_000;
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/** The pieces of a text, going on from those of its beginning. */
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

/** The open piece, as it is now. */
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

/** Behind the last blank line before a fence or before the piece is full; undefined while neither has come. */
function endOfProse(rest: string): number | undefined {
  let cut: number | undefined;
  let lineStart = 0;
  let inList = false;
  for (let lineEnd = rest.indexOf('\n'); lineEnd !== -1; lineEnd = rest.indexOf('\n', lineStart)) {
    const line = rest.slice(lineStart, lineEnd);
    if (lineStart > 0 && isFence(line)) return lineStart; // a fence may follow a paragraph directly
    lineStart = lineEnd + 1;
    if (line.trim() !== '') {
      inList = /^\s*([-*+]|\d+[.)])\s/.test(line) || (inList && /^\s/.test(line));
      continue;
    }
    // Between the items of a loose list there are blank lines, too: cut in two it would be counted anew.
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

/** ```code``` on one line is no fence. */
function isInlineFence([, mark = '', behind = '']: RegExpExecArray): boolean {
  return mark.startsWith('`') && behind.includes('`');
}
