/** Reads the first rows of a CSV text, for a preview. */
export interface CsvTable {
  readonly rows: readonly (readonly string[])[];
  readonly hasMore: boolean;
}

const MAX_ROWS = 200;
const MAX_COLUMNS = 40;

export function readCsv(text: string): CsvTable {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length && rows.length < MAX_ROWS) {
    const { value, end } = readCell(text, at);
    row.push(value);
    at = end + 1;
    if (text[end] === ',') continue;
    if (text[end] === '\r' && text[at] === '\n') at++;
    rows.push(row.slice(0, MAX_COLUMNS));
    row = [];
  }
  return { rows: row.length > 0 ? [...rows, row.slice(0, MAX_COLUMNS)] : rows, hasMore: at < text.length };
}

function readCell(text: string, from: number): { readonly value: string; readonly end: number } {
  if (text[from] !== '"') {
    const end = endOfPlain(text, from);
    return { value: text.slice(from, end), end };
  }
  let close = text.indexOf('"', from + 1);
  while (close !== -1 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
  const last = close === -1 ? text.length : close;
  return { value: text.slice(from + 1, last).replaceAll('""', '"'), end: endOfPlain(text, last) };
}

function endOfPlain(text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (text[at] === ',' || text[at] === '\n' || text[at] === '\r') return at;
  return text.length;
}
