import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { SCHEMA_VERSION, schemaSql } from './schema.js';

/** SHA-256 of the SQL of all steps and functions, by version. The line of a released version is never changed. */
const HASHES: Readonly<Record<number, string>> = {
  2: '2d022b01235a3d7f517cd52ad71e05f5bd2ea437cc500ec9ee3edaea103e572a',
  3: '048640807e54e1989a2949928a38d3b6297e1e1302bb4e3b3369ee2c1df4147e',
};

const ADVICE = `The SQL of version ${SCHEMA_VERSION} has changed. It is executed only when the version of a schema rises, so existing
schemas would keep the old tables and functions. Raise the version: add a step to MIGRATIONS in schema.ts and a line
with the new hash here. Replace the hash only if no release has this version.`;

test('the SQL of tables and functions changes only with the version of the schema', () => {
  expect(createHash('sha256').update(schemaSql('s')).digest('hex'), ADVICE).toBe(HASHES[SCHEMA_VERSION]);
});
