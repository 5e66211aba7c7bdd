// The cost of a long result is its length: each part is translated once.
import { expect, test } from 'vitest';
import { partToSchema } from '../../compat/v03/parts.js';
import { schemaModel } from '../../compat/v03/schema.js';
import { translateLong } from './long-results.js';

const textParts = (count: number) => Array.from({ length: count }, (_, index) => ({ text: `${index}` }));

/** A task whose status, artifacts and history each have this many parts. One artifact has so many that they are pieces of their own. */
const taskOf = (count: number) => ({
  id: 't',
  contextId: 'c',
  status: { state: 'TASK_STATE_COMPLETED', message: { messageId: 'm', role: 'ROLE_AGENT', parts: textParts(count) } },
  artifacts: [
    { artifactId: 'long', parts: textParts(count + 1_000) },
    ...textParts(count).map((part, index) => ({ artifactId: `a${index}`, parts: [part] })),
  ],
  history: textParts(count).map((part, index) => ({ messageId: `h${index}`, role: 'ROLE_USER', parts: [part] })),
});

test.each([100, 400, 1_600])('D50: each part of a long result is translated once (%i items)', async (count) => {
  let translations = 0;
  const model = schemaModel((part) => {
    translations += 1;
    return partToSchema(part);
  });
  const pieces = await translateLong(model, 'GetTask', JSON.stringify(taskOf(count)));
  expect(translations).toBe(4 * count + 1_000);
  expect(JSON.parse(pieces.join(''))).toEqual(schemaModel().resultToV03('GetTask', taskOf(count)));
});
