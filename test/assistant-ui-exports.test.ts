// Our drop-in exports every name of @assistant-ui/react-a2a 0.2.32: code written for that package works with a changed import.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import * as theirs from '@assistant-ui/react-a2a';
import * as ours from '@parley/a2a/assistant-ui';
import { expect, test } from 'vitest';

const require = createRequire(import.meta.url);
const folder = dirname(require.resolve('@assistant-ui/react-a2a'));

/** Our additional exports. */
const EXTRA = {
  values: ['useConversationRuntime'],
  types: ['A2ARunConfig', 'Conversation', 'ConversationRuntimeOptions', 'ParleyOptions'],
};

test('D38: every value export of the package exists here, and has the same kind', () => {
  expect(Object.keys(ours).sort()).toEqual([...Object.keys(theirs), ...EXTRA.values].sort());
  const kinds = (names: object): Record<string, string> =>
    Object.fromEntries(Object.entries(names).map(([name, value]) => [name, typeof value]));
  expect(kinds(ours)).toMatchObject(kinds(theirs));
});

test('D38: every type export of the package exists here', () => {
  const names = exportedTypes(readFileSync(join(folder, 'index.d.ts'), 'utf8'));
  const own = exportedTypes(readFileSync(new URL('../packages/a2a/src/assistant-ui/index.ts', import.meta.url), 'utf8'));
  expect(names.length).toBe(38);
  expect(own).toEqual([...names, ...EXTRA.types].sort());
});

test('the names are taken from the installed version', () => {
  const { version } = JSON.parse(readFileSync(join(folder, '../package.json'), 'utf8'));
  expect(version).toBe('0.2.32');
});

/** The names after `type` in export lists. */
function exportedTypes(text: string): string[] {
  const lists = [...text.matchAll(/export (type )?\{([^}]*)\}/g)];
  return lists.flatMap(([, allTypes, list = '']) => list.split(',').flatMap((item) => typeIn(item, allTypes !== undefined))).sort();
}

function typeIn(item: string, isInTypes: boolean): string[] {
  const [, isType, name] = /^\s*(type\s+)?(\w+)\s*$/.exec(item) ?? [];
  return name !== undefined && (isInTypes || isType !== undefined) ? [name] : [];
}
