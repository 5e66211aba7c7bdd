/** Generates src/protocol/generated from the model. Run by `npm run generate`; generated.test.ts fails when the files are out of date. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readModel } from './read-model.mjs';
import { writeFields } from './write-fields.mjs';
import { writeRules } from './write-rules.mjs';
import { writeSchema } from './write-schema.mjs';
import { writeTypes } from './write-types.mjs';
import { writeValidators } from './write-validators.mjs';

const MARK = 'Generated from model/a2a-1.0.json by `npm run generate`. Do not edit.';
const TARGET = new URL('../src/protocol/generated/', import.meta.url);

/** Returns a map from file name to content, so that a test can compare without writing. */
export function generate() {
  const model = readModel();
  const schema = writeSchema(model);
  return new Map([
    ['types.ts', `// ${MARK}\n${writeTypes(model)}\n`],
    ['fields.ts', `// ${MARK}\n${writeFields(model)}\n`],
    ['rules.ts', `// ${MARK}\n${writeRules(schema)}\n`],
    ['validators.ts', `// ${MARK}\n${writeValidators(schema)}\n`],
    ['schema.json', `${JSON.stringify({ $comment: MARK, ...schema }, undefined, 2)}\n`],
  ]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(TARGET, { recursive: true });
  for (const [name, content] of generate()) writeFileSync(new URL(name, TARGET), content);
}
