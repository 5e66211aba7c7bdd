import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyStrictMessage, damage, dice } from '../../test/arbitraries.js';
import { ENUMS, FIELDS } from './generated/fields.js';
import { METHODS, type MethodName } from './methods.js';
import { isValid } from './parse.js';
import { TASK_STATES } from './task-state.js';

interface ModelField {
  readonly name: string;
  readonly number: number;
}
interface Model {
  readonly service: {
    readonly rpcs: readonly {
      readonly name: string;
      readonly request: string;
      readonly response: string;
      readonly stream?: boolean;
      readonly http: string;
    }[];
  };
  readonly enums: readonly { readonly name: string; readonly values: readonly { readonly name: string; readonly number: number }[] }[];
  readonly messages: readonly { readonly name: string; readonly fields: readonly ModelField[] }[];
}

const modelUrl = new URL('../../model/', import.meta.url);
const model: Model = JSON.parse(readFileSync(new URL('a2a-1.0.json', modelUrl), 'utf8'));
// Imported by URL, because the generator is plain JavaScript without declarations.
const { generate } = (await import(new URL('generate.mjs', modelUrl).href)) as { generate: () => Map<string, string> };
const files = [...generate()];

describe('generated files', () => {
  test.each(files)('%s is up to date with the model', (name, content) => {
    expect(readFileSync(new URL(`generated/${name}`, import.meta.url), 'utf8') === content, 'run npm run generate -w packages/a2a').toBe(
      true,
    );
  });

  test.each(files)('%s needs no validation library and is marked as generated', (_name, content) => {
    expect(content).toContain('Generated from model/a2a-1.0.json');
    expect(content).not.toMatch(/require\(/);
    expect(content).not.toMatch(/import[^;\n]*ajv/);
    expect(content).not.toMatch(/new Function|eval\(/);
  });
});

describe('the model', () => {
  test('has every message, field, enum and operation of A2A 1.0', () => {
    expect(model.messages).toHaveLength(44);
    expect(model.messages.flatMap(({ fields }) => fields)).toHaveLength(176);
    expect(model.enums.map(({ name, values }) => [name, values.length])).toEqual([
      ['TaskState', 9],
      ['Role', 3],
    ]);
    expect(model.service.rpcs).toHaveLength(11);
  });

  test('numbers each field of a message once', () => {
    for (const { fields } of model.messages) expect(new Set(fields.map(({ number }) => number)).size).toBe(fields.length);
  });

  test('agrees with the method table', () => {
    for (const { name, request, response, stream, http } of model.service.rpcs) {
      const row = METHODS[name as MethodName];
      expect(row).toMatchObject({ request, response: response.replace('google.protobuf.', ''), streaming: stream === true });
      const routes = row.routes.map(({ verb, path }) => `${verb} ${path}`);
      expect(routes).toContain(http.replaceAll('{id=*}', '{id}').replaceAll('{task_id=*}', '{taskId}'));
    }
    expect(Object.keys(METHODS).toSorted()).toEqual(model.service.rpcs.map(({ name }) => name).toSorted());
  });

  test('agrees with the list of states', () => {
    expect(TASK_STATES).toEqual(ENUMS.TaskState);
  });

  test('has JSON names in camelCase, with the original names', () => {
    const renamed = Object.values(FIELDS).flatMap((rows) => rows.filter(({ proto }) => proto !== undefined));
    for (const { json, proto } of renamed) expect(json.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)).toBe(proto);
    expect(FIELDS.OAuth2SecurityScheme.map(({ json }) => json)).toContain('oauth2MetadataUrl');
  });
});

describe('the compiled validators', () => {
  const schema = JSON.parse(readFileSync(new URL('generated/schema.json', import.meta.url), 'utf8'));
  const ajv = new Ajv({ strictTypes: false }).addSchema(schema);

  test('agree with the plain JSON Schema, for valid and for damaged values', () => {
    fc.assert(
      fc.property(anyStrictMessage, fc.boolean(), ({ type, value, numbers }, whole) => {
        const given = whole ? value : damage(value, dice(numbers));
        expect(isValid(type, given)).toBe(ajv.getSchema(`a2a#/definitions/${type}`)?.(given));
      }),
      { numRuns: 2000 },
    );
  });
});
