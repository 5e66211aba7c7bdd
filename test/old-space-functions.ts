// Finds function literals that are assigned to a property. V8 takes such a function for a method of a prototype and allocates it in old
// space, where it keeps everything that it refers to until the next full garbage collection: see docs/decisions/0011-hot-paths.md.
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';

/** Returns file and line of each assignment below a folder, without tests. */
export function findAssignedFunctions(root: URL, folder: string): string[] {
  const names = readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: 'utf8' }).sort();
  return names
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.'))
    .flatMap((name) => {
      const file = `${folder}/${name.replaceAll('\\', '/')}`;
      return assignedFunctionsIn(file, readFileSync(new URL(file, root), 'utf8'));
    });
}

export function assignedFunctionsIn(file: string, text: string): string[] {
  // Most files have none, and parsing takes most of the time.
  if (!/[\w\])] (\?\?|\|\||&&)?=\s*(async )?(function\b|\w+ =>|[(<])/.test(text)) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isAssignedFunction(node)) found.push(`${file}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const ASSIGNMENTS: readonly ts.SyntaxKind[] = [
  ts.SyntaxKind.EqualsToken,
  ts.SyntaxKind.QuestionQuestionEqualsToken,
  ts.SyntaxKind.BarBarEqualsToken,
  ts.SyntaxKind.AmpersandAmpersandEqualsToken,
];

function isAssignedFunction(node: ts.Node): boolean {
  if (!ts.isBinaryExpression(node) || !ASSIGNMENTS.includes(node.operatorToken.kind)) return false;
  const { left, right } = node;
  if (!ts.isPropertyAccessExpression(left) && !ts.isElementAccessExpression(left)) return false;
  const value = ts.isParenthesizedExpression(right) ? right.expression : right;
  return ts.isArrowFunction(value) || ts.isFunctionExpression(value);
}
