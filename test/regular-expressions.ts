// Finds the regular expressions of source files, and measures how their time grows with hostile text.
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';

export interface FoundExpression {
  /** File and line. */
  readonly at: string;
  readonly expression: RegExp;
}

/** Values of the expressions that are built from values of other files, by file. */
export type BuiltExpressions = Readonly<Record<string, readonly RegExp[]>>;

/** Returns every expression below a folder, without tests. Throws for an expression whose text is neither constant nor in `built`. */
export function findExpressions(root: URL, folder: string, built: BuiltExpressions): FoundExpression[] {
  const names = readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: 'utf8' }).sort();
  return names
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.'))
    .flatMap((name) => {
      const file = `${folder}/${name.replaceAll('\\', '/')}`;
      return expressionsIn(file, readFileSync(new URL(file, root), 'utf8'), built[file]);
    });
}

export function expressionsIn(file: string, text: string, built?: readonly RegExp[]): FoundExpression[] {
  if (!mayHaveExpressions(text)) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const found: FoundExpression[] = [];
  const add = (node: ts.Node, expressions: readonly RegExp[]): void => {
    const at = `${file}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}`;
    found.push(...expressions.map((expression) => ({ at, expression })));
  };
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) add(node, [toExpression(node.text)]);
    else if (isConstructed(node)) add(node, constructed(node, source, built));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/**
 * Most files have none, and parsing takes most of the time. In formatted code, a literal never follows directly after a word, a dot or a
 * quote, as the slashes of paths do, and never begins like a comment.
 */
function mayHaveExpressions(text: string): boolean {
  return text.includes('RegExp') || /(?<![\w.*/<'"`])\/(?![/*])/.test(text);
}

function toExpression(literal: string): RegExp {
  const end = literal.lastIndexOf('/');
  return new RegExp(literal.slice(1, end), literal.slice(end + 1));
}

type Construction = ts.NewExpression | ts.CallExpression;

function isConstructed(node: ts.Node): node is Construction {
  return (ts.isNewExpression(node) || ts.isCallExpression(node)) && ts.isIdentifier(node.expression) && node.expression.text === 'RegExp';
}

function constructed(node: Construction, source: ts.SourceFile, built: readonly RegExp[] | undefined): readonly RegExp[] {
  const [pattern, flags] = (node.arguments ?? []).map((argument) => constantOf(argument, source));
  if (pattern !== undefined) return [new RegExp(pattern, flags)];
  if (built !== undefined) return built;
  throw new Error(`${source.fileName}: the test cannot read ${node.getText(source)}; add an example of its value to the test`);
}

/** Returns the value of a text that uses only literals and constants of its file. */
function constantOf(node: ts.Expression, source: ts.SourceFile): string | undefined {
  if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return node.text;
  if (ts.isIdentifier(node)) {
    const declared = source.statements
      .filter(ts.isVariableStatement)
      .flatMap(({ declarationList }) => declarationList.declarations)
      .find(({ name }) => ts.isIdentifier(name) && name.text === node.text);
    return declared?.initializer && constantOf(declared.initializer, source);
  }
  if (!ts.isTemplateExpression(node)) return undefined;
  const spans = node.templateSpans.map(({ expression, literal }) => {
    const value = constantOf(expression, source);
    return value === undefined ? undefined : value + literal.text;
  });
  return spans.includes(undefined) ? undefined : node.head.text + spans.join('');
}

const FIXED: Readonly<Record<string, string>> = {
  slashes: '/',
  spaces: ' \t',
  'line breaks': '\r\n',
  digits: '1',
  letters: 'a',
  quotes: '"\'',
  brackets: '([{<',
  unicode: 'é😀\u00a0\u2028\ud800',
};
/** Most expressions do not accept it, so a match must fail at the end. */
const SPOILER = '\u0000';

/** Returns ten texts of about this length: repeated units, followed by a character that spoils the match. */
function hostileTexts({ source }: RegExp, length: number): Map<string, string> {
  const own = ownCharacters(source);
  const units = [...Object.entries(FIXED), ['own prefix', prefixOf(own)], ['own text', own]] as const;
  return new Map(units.map(([name, unit]) => [name, repeated(unit, length) + SPOILER]));
}

/** Texts that repeat one or two of the expression's own characters after its prefix come close to each of its loops. */
function nearMatches({ source }: RegExp, length: number): Map<string, string> {
  const own = ownCharacters(source);
  const prefix = prefixOf(own);
  const letters = [...new Set(['a', ...own.replace(/\s/g, ''), '1'])].slice(0, 4);
  const units = letters.flatMap((one) => letters.map((other) => (one === other ? one : one + other)));
  const texts = units.flatMap((unit) =>
    [...letters, SPOILER].map((end) => [`${prefix}, then ${unit}, then ${end}`, prefix + repeated(unit, length) + end] as const),
  );
  return new Map(texts);
}

/** The source of an expression without its operators. */
function ownCharacters(source: string): string {
  const literals = source.replace(/\\(?:u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|[pP]\{[^}]*\}|[bBdDsSwWnrtfv0])/gi, ' ').replace(/\\(.)/g, '$1');
  return literals.replace(/\(\?(?:<[^>]*>|[:!=]|<[!=])|[\^$()[\]{}?*+|]/g, '') || 'x';
}

function prefixOf(own: string): string {
  return /^[^\s,.-]+/.exec(own)?.[0] ?? 'x';
}

function repeated(unit: string, length: number): string {
  return unit.repeat(Math.ceil(length / unit.length));
}

const LIMIT_MS = 50;
/** From small to large in short steps, so that an expression that takes exponential or quadratic time is found soon after the limit. */
const SIZES = [22, 23, 24, 25, 400, 2_000, 7_000, 20_000];

/** Returns the text for which the expression takes more than 50 ms in the best of three, or undefined. */
export function slowText(expression: RegExp): string | undefined {
  for (const size of SIZES) {
    const slow = slowOf(expression, nearMatches(expression, size)) ?? slowOf(expression, hostileTexts(expression, size));
    if (slow !== undefined) return slow;
  }
  return slowOf(expression, hostileTexts(expression, 100_000));
}

function slowOf(expression: RegExp, texts: ReadonlyMap<string, string>): string | undefined {
  for (const [name, text] of texts) if (isSlow(expression, text)) return `${text.length} characters of ${JSON.stringify(name)}`;
  return undefined;
}

function isSlow(expression: RegExp, text: string): boolean {
  for (let attempt = 1; attempt <= 3; attempt++) {
    const begunAt = performance.now();
    // Replaces all matches of a global expression.
    text.replace(expression, '');
    if (performance.now() - begunAt <= LIMIT_MS) return false;
  }
  return true;
}
