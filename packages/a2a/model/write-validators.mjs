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
    FAIL,
    withSharedFailure(kept.map((line) => withoutUnusedSchema(withoutUnusedData(line), code)).join('\n')),
    'export const validators: Validators = {',
    ...rows,
    '};',
  ].join('\n');
}

const FAIL =
  'function fail(validate, instancePath, keyword, params){\nvalidate.errors = [{instancePath,keyword,params}];\nreturn false;\n}';

/** One call for each violation instead of two statements with an object: less code for a page. */
function withSharedFailure(code) {
  const failure =
    /(?<validate>validate\d+)\.errors = \[\{instancePath(?::(?<path>.*?))?,keyword:(?<keyword>"\w+"),params:(?<params>.*)\}\];\nreturn false;/g;
  return code.replace(failure, (...match) => {
    const { validate, path = 'instancePath', keyword, params } = match.at(-1);
    return `return fail(${validate}, ${path}, ${keyword}, ${params});`;
  });
}

/** Nothing reads the path in the schema and the data around a value. They would be a tenth of the code of a page. */
function withoutUnusedData(line) {
  return (
    line
      .replace(/schemaPath:"[^"]*",/g, '')
      // The code stops at the first violation, so that there is none before.
      .replace(/vErrors === null \? (validate\d+\.errors) : vErrors\.concat\(\1\)/, '$1')
      .replace('errors = vErrors.length;', 'errors = 1;')
      .replace(', parentData, parentDataProperty, rootData=data}', '}')
      .replace(/,parentData:\w+,parentDataProperty:(?:"[^"]*"|\w+),rootData\}/g, '}')
  );
}

/** Of a schema, the code reads only the values of enums and the names of the properties. */
function withoutUnusedSchema(line, code) {
  const [, name, text] = /^const (schema\d+) = (\{.*\});$/.exec(line) ?? [];
  if (name === undefined) return line;
  const { properties } = JSON.parse(text);
  const isRead = (property) => code.includes(`${name}.properties.${property}.enum`);
  const hasNames = code.includes(`${name}.properties,`);
  const kept = Object.entries(properties).flatMap(([property, schema]) => {
    if (isRead(property)) return [[property, { enum: schema.enum }]];
    return hasNames ? [[property, 0]] : [];
  });
  return `const ${name} = ${JSON.stringify({ properties: Object.fromEntries(kept) })};`;
}

function isUnusedSchema(line, code) {
  const name = /^const (schema\d+) = /.exec(line)?.[1];
  return name !== undefined && code.split(new RegExp(`\\b${name}\\b`)).length === 2;
}
