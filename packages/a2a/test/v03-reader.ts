/** A reader of 0.3 that knows only its own schema. */
import { readFileSync } from 'node:fs';
import { isObject } from '../src/protocol/is-object.js';

interface Schema {
  readonly $ref?: string;
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
}

const { definitions }: { readonly definitions: Readonly<Record<string, Schema>> } = JSON.parse(
  readFileSync(new URL('generated/a2a-0.3.schema.json', import.meta.url), 'utf8'),
);

/** The members of a card that 0.3 has, and no others. */
export function asReaderOfV03(card: unknown): unknown {
  return project(card, { $ref: '#/definitions/AgentCard' });
}

function project(value: unknown, schema: Schema): unknown {
  const { anyOf, items, properties, additionalProperties } = resolve(schema);
  if (Array.isArray(value)) return items === undefined ? value : value.map((item) => project(item, items));
  if (!isObject(value)) return value;
  // The kinds of security schemes differ in the constant of `type`.
  if (anyOf !== undefined) return project(value, anyOf.find((one) => resolve(one).properties?.type?.const === value.type) ?? {});
  if (properties === undefined && additionalProperties === undefined) return value;
  const shapeOf = (name: string): Schema | undefined =>
    properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const shape = shapeOf(name);
      return shape === undefined ? [] : [[name, project(member, shape)]];
    }),
  );
}

function resolve(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const found = definitions[schema.$ref.replace('#/definitions/', '')];
  if (found === undefined) throw new Error(`the schema has no ${schema.$ref}`);
  return found;
}
