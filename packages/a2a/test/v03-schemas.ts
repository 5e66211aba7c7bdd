/** The JSON schemas of both versions, as validators for tests. */
import { readFileSync } from 'node:fs';
import { Ajv, type ErrorObject } from 'ajv';

const readSchema = (path: string): object => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));

// Several types of 0.3 are allowed at once for the id of a JSON-RPC message.
const ajv = new Ajv({ allErrors: true, strictTypes: false })
  .addSchema(readSchema('generated/a2a-0.3.schema.json'))
  .addSchema(readSchema('../src/protocol/generated/schema.json'));

/** The errors of a value in the schema of a version; empty if it is valid. */
export function schemaErrors(version: '0.3' | '1.0', type: string, value: unknown): readonly ErrorObject[] {
  const validate = ajv.getSchema(`${version === '0.3' ? 'a2a-0.3' : 'a2a'}#/definitions/${type}`);
  if (validate === undefined) throw new Error(`A2A ${version} has no ${type}`);
  return validate(value) === true ? [] : (validate.errors ?? []);
}

/** Places of members that a schema does not know. All other errors stay errors. */
export function unknownMembers(errors: readonly ErrorObject[]): {
  readonly unknown: readonly string[];
  readonly others: readonly ErrorObject[];
} {
  const isUnknown = ({ keyword }: ErrorObject): boolean => keyword === 'additionalProperties';
  return {
    unknown: errors.filter(isUnknown).map(({ instancePath, params }) => `${instancePath}/${params.additionalProperty}`),
    others: errors.filter((error) => !isUnknown(error)),
  };
}
