/**
 * Generates test/generated/a2a-0.3.schema.json: the JSON Schema of A2A 0.3, from the types of the official SDK 0.3. Those types were generated from
 * the schema of the specification, so that the way back loses only descriptions. Run by `npm run generate`; v03-schemas.test.ts fails when
 * the file is out of date.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const MARK = 'Generated from the types of @a2a-js/sdk 0.3.14 by `npm run generate`. Do not edit.';
const TARGET = new URL('../test/generated/a2a-0.3.schema.json', import.meta.url);

/** What a server of 0.3 sends, and the parameters that it gets. */
const ROOTS = ['AgentCard', 'JSONRPCResponse', 'SendStreamingMessageSuccessResponse', 'A2ARequest'];

const KEYWORDS = new Map([
  [ts.SyntaxKind.StringKeyword, { type: 'string' }],
  [ts.SyntaxKind.NumberKeyword, { type: 'number' }],
  [ts.SyntaxKind.BooleanKeyword, { type: 'boolean' }],
  [ts.SyntaxKind.UnknownKeyword, {}],
  [ts.SyntaxKind.AnyKeyword, {}],
]);

export function generateV03() {
  const declarations = readDeclarations();
  const definitions = {};
  const add = (name) => {
    if (Object.hasOwn(definitions, name)) return;
    const declaration = declarations.get(name);
    if (declaration === undefined) throw new Error(`${name} is not declared`);
    definitions[name] = {}; // types may refer to themselves
    definitions[name] = ts.isInterfaceDeclaration(declaration) ? interfaceSchema(declaration, add) : schemaOf(declaration.type, add);
  };
  for (const root of ROOTS) add(root);
  const sorted = Object.fromEntries(Object.entries(definitions).sort(([a], [b]) => (a < b ? -1 : 1)));
  const schema = { $comment: MARK, $schema: 'http://json-schema.org/draft-07/schema#', $id: 'a2a-0.3', definitions: sorted };
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}

/** The file has a hash in its name. */
function readDeclarations() {
  const folder = dirname(createRequire(import.meta.url).resolve('a2a-sdk-03'));
  const file = readdirSync(folder).find((name) => /^extensions-.*\.d\.ts$/.test(name));
  if (file === undefined) throw new Error(`no types in ${folder}`);
  const { statements } = ts.createSourceFile(file, readFileSync(join(folder, file), 'utf8'), ts.ScriptTarget.Latest);
  const named = statements.filter((one) => ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one));
  return new Map(named.map((one) => [one.name.text, one]));
}

function interfaceSchema({ heritageClauses, members }, add) {
  if (heritageClauses !== undefined) throw new Error('an interface with a base type is not supported');
  return objectSchema(members, add);
}

/** Other members are allowed, as in the specification. */
function objectSchema(members, add) {
  const properties = members.filter(ts.isPropertySignature);
  const index = members.find(ts.isIndexSignatureDeclaration);
  const required = properties.filter(({ questionToken }) => questionToken === undefined).map(({ name }) => name.text);
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    ...(properties.length > 0 && { properties: Object.fromEntries(properties.map(({ name, type }) => [name.text, schemaOf(type, add)])) }),
    ...(index !== undefined && { additionalProperties: schemaOf(index.type, add) }),
  };
}

function schemaOf(type, add) {
  const known = KEYWORDS.get(type.kind);
  if (known !== undefined) return known;
  if (ts.isArrayTypeNode(type)) return { type: 'array', items: schemaOf(type.elementType, add) };
  if (ts.isTypeLiteralNode(type)) return objectSchema(type.members, add);
  if (ts.isParenthesizedTypeNode(type)) return schemaOf(type.type, add);
  if (ts.isUnionTypeNode(type)) return { anyOf: type.types.map((one) => schemaOf(one, add)) };
  if (ts.isLiteralTypeNode(type)) return { const: constantOf(type.literal) };
  if (ts.isTypeReferenceNode(type)) {
    add(type.typeName.text);
    return { $ref: `#/definitions/${type.typeName.text}` };
  }
  throw new Error(`the type ${ts.SyntaxKind[type.kind]} is not supported`);
}

function constantOf(literal) {
  if (literal.kind === ts.SyntaxKind.NullKeyword) return null;
  if (ts.isPrefixUnaryExpression(literal)) return -Number(literal.operand.text);
  return ts.isStringLiteral(literal) ? literal.text : Number(literal.text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(TARGET, generateV03());
