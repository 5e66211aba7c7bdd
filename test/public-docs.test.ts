// Each exported name has a sentence that a user can act on, each option states its default, and the most used names have an example.
// scripts/check-docs.mjs compiles the examples.
import ts from 'typescript';
import { expect, test } from 'vitest';
import { checker, exports, follow, modules, source } from './entry-symbols.js';

/** The names that most users need first: `entry name`, or `entry name.member`. */
const WITH_EXAMPLE = [
  '. isA2AError',
  './security bearer',
  './server createAgent',
  './server RequestContext.requireInput',
  './server TaskEvents.appendText',
  './server memoryStore',
  './client createClient',
  './client Client.run',
  './client Client.send',
  './client bearerToken',
  './conversation createConversation',
  './coordinator createCoordinator',
  './node listen',
  './fetch fetchHandler',
  './express expressHandler',
  './react useConversation',
  './react ConversationProvider',
  './sqlite sqlite',
  './postgres postgres',
  './redis redis',
  './testing createTestFetch',
  './testing manualClock',
];

/** "Default 3.", "The default is that of …", "it has no default". */
const DEFAULT = /\bdefaults?\b/i;

test.each(Object.keys(exports))('D39: each name of %s has a sentence in its JSDoc', (entry) => {
  const lacking = [...namesOf(entry)].filter(([, symbol]) => !hasSentence(docOf(symbol)));
  expect(lacking.map(([name, symbol]) => `${placeOf(symbol)} ${name}`)).toEqual([]);
});

test.each(Object.keys(exports))('D39: each option of %s has a sentence in its JSDoc', (entry) => {
  const lacking = optionsOf(entry).filter(({ member }) => !hasSentence(docOf(member)));
  expect(lacking.map(({ name }) => name)).toEqual([]);
});

test.each(Object.keys(exports))('D39: each optional option of %s states its default', (entry) => {
  const lacking = optionsOf(entry).filter(({ member }) => member.flags & ts.SymbolFlags.Optional && !DEFAULT.test(docOf(member)));
  expect(lacking.map(({ name }) => name)).toEqual([]);
});

test.each(WITH_EXAMPLE)('D39: %s has an example', (path) => {
  const [entry = '', name = '', member] = path.split(/[ .](?=\w)/);
  const symbol = namesOf(entry).get(name);
  const target = member === undefined ? symbol : symbol?.members?.get(ts.escapeLeadingUnderscores(member));
  const examples = target?.getJsDocTags(checker).filter((tag) => tag.name === 'example') ?? [];
  expect(examples.map(({ text }) => ts.displayPartsToString(text))).toContainEqual(expect.stringMatching(/^```tsx?\n[\s\S]+\n```$/));
});

function namesOf(entry: string): ReadonlyMap<string, ts.Symbol> {
  return modules.get(entry) ?? new Map();
}

/** The members of the exported types whose name ends in `Options` or `Limits`, inherited ones included. */
function optionsOf(entry: string): { readonly name: string; readonly member: ts.Symbol }[] {
  return [...namesOf(entry)].flatMap(([name, symbol]) =>
    /(Options|Limits)$/.test(name)
      ? [...membersOf(symbol)].map((member) => ({ name: `${placeOf(member)} ${name}.${member.name}`, member }))
      : [],
  );
}

/** Read from the declarations: without the libraries, the checker does not resolve `Partial`, `Pick` and `Omit`. */
function membersOf(symbol: ts.Symbol): ReadonlySet<ts.Symbol> {
  return new Set((symbol.declarations ?? []).filter(isOwn).flatMap(membersIn));
}

function membersIn(node: ts.Node): ts.Symbol[] {
  if (ts.isInterfaceDeclaration(node)) {
    return [...node.members.flatMap(symbolOf), ...(node.heritageClauses ?? []).flatMap(({ types }) => types.flatMap(membersIn))];
  }
  if (ts.isTypeLiteralNode(node)) return node.members.flatMap(symbolOf);
  if (ts.isTypeAliasDeclaration(node)) return membersIn(node.type);
  if (ts.isParenthesizedTypeNode(node)) return membersIn(node.type);
  if (ts.isUnionTypeNode(node) || ts.isIntersectionTypeNode(node)) return node.types.flatMap(membersIn);
  if (ts.isExpressionWithTypeArguments(node)) return referencedBy(node.expression, node.typeArguments);
  return ts.isTypeReferenceNode(node) ? referencedBy(node.typeName, node.typeArguments) : [];
}

/** The members of the named type, or of the argument of a utility type such as `Omit`. */
function referencedBy(name: ts.Node, args: readonly ts.Node[] = []): ts.Symbol[] {
  const found = checker.getSymbolAtLocation(name);
  const symbol = found && follow(found, checker);
  return symbol?.declarations?.some(isOwn) ? [...membersOf(symbol)] : args.flatMap(membersIn);
}

function symbolOf({ name }: ts.TypeElement): ts.Symbol[] {
  const symbol = name && checker.getSymbolAtLocation(name);
  return symbol === undefined ? [] : [symbol];
}

function isOwn(node: ts.Node): boolean {
  return node.getSourceFile().fileName.startsWith(source);
}

function docOf(symbol: ts.Symbol): string {
  return ts.displayPartsToString(symbol.getDocumentationComment(checker)).replaceAll(/\s+/g, ' ').trim();
}

/** Whether the first sentence ends with a period and has at least three words. */
function hasSentence(doc: string): boolean {
  const [sentence = ''] = /^.*?\.(?=\s|$)/.exec(doc) ?? [];
  return sentence.split(' ').length >= 3;
}

function placeOf(symbol: ts.Symbol): string {
  const [declaration] = symbol.declarations ?? [];
  const file = declaration?.getSourceFile();
  if (declaration === undefined || file === undefined) return '';
  return `${file.fileName.replace(source, '')}:${file.getLineAndCharacterOfPosition(declaration.getStart()).line + 1}`;
}
