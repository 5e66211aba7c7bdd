/** Compiles the schema to plain functions, so that run time needs no compilation and no validation library. */
import { createRequire } from 'node:module';
import Ajv from 'ajv';
import { addQuickKeywords, toQuickKeywords } from './quick-keywords.mjs';

// The subpath is CommonJS; an ESM import would wrap its default export.
const standaloneCode = createRequire(import.meta.url)('ajv/dist/standalone').default;

export function writeValidators(schema) {
  const definitions = toQuickKeywords(schema);
  const names = definitions.map(([name]) => name);
  const ajv = new Ajv.default({ code: { source: true, esm: true, lines: true }, inlineRefs: false, messages: false, unicodeRegExp: false });
  addQuickKeywords(ajv);
  // One schema per message: definitions inside one large schema would be compiled twice, as a root and as the target of references.
  for (const [name, definition] of definitions) ajv.addSchema(definition, name);
  const code = standaloneCode(ajv, Object.fromEntries(names.map((name) => [name, name])));
  return toModule(code, names);
}

/** Gathers the exports into one typed table and removes unused code of the compiler. */
function toModule(code, names) {
  const lines = code.split('\n').filter((line) => line !== '' && line !== '"use strict";');
  const exported = new Map(
    lines.flatMap((line) => [...line.matchAll(/^export const (\w+) = (\w+);$/g)].map(([, name, value]) => [name, value])),
  );
  const kept = lines.filter((line) => !line.startsWith('export const ') && !isUnusedSchema(line, code));
  const rows = names.map((name) => `  ${name}: ${exported.get(name)},`);
  return [
    '// @ts-nocheck: compiled code; only the table at its end is typed.',
    "import { isDeep } from '../nesting.js';",
    "import type { Validators } from '../validator.js';",
    ...kept,
    'export const validators: Validators = {',
    ...rows,
    '};',
  ].join('\n');
}

function isUnusedSchema(line, code) {
  const name = /^const (schema\d+) = /.exec(line)?.[1];
  return name !== undefined && code.split(new RegExp(`\\b${name}\\b`)).length === 2;
}
