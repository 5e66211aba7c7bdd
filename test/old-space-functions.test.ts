import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { assignedFunctionsIn, findAssignedFunctions } from './old-space-functions.js';

const root = new URL('../', import.meta.url);

/** Code that runs a few times per page, with the callbacks that IndexedDB defines as properties. */
const ALLOWED = /^packages\/a2a\/src\/client\/conversation\/indexed-db\.ts:/;

test('no function literal of the library is assigned to a property', () => {
  expect(findAssignedFunctions(root, 'packages/a2a/src').filter((place) => !ALLOWED.test(place))).toEqual([]);
});

test('the check finds every form of such an assignment, and no other', () => {
  const text = [
    'this.onStop = () => resolve(1);',
    'this.#leave = async (reason) => {',
    '  await reason;',
    '};',
    'list[0] = function () {};',
    'this.onEnd ??= () => {};',
    'this.onLevel =',
    '  (level) => level;',
    'const stop = () => {};',
    'this.onStop = stop;',
    'this.answer = call(() => 1);',
    'class Named { readonly field = () => 1; }',
    'const object = { method: () => 1 };',
  ].join('\n');
  expect(assignedFunctionsIn('planted.ts', text)).toEqual(['planted.ts:1', 'planted.ts:2', 'planted.ts:5', 'planted.ts:6', 'planted.ts:7']);
});

/** Prints the bytes per call that minor collections leave behind, of 8 kB that each function refers to. */
const PROGRAM = `
  const { getHeapSpaceStatistics } = require('node:v8');
  const oldBytes = () => getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space').space_used_size;
  const forms = {
    assigned(big) { const run = { stop: undefined }; run.stop = () => big; return run; },
    named(big) { const run = { stop: undefined }; const stop = () => big; run.stop = stop; return run; },
  };
  let last;
  const bytesLeft = (form) => {
    const calls = () => { for (let n = 0; n < 300; n += 1) last = form(new Array(1_000).fill(1.5)); };
    calls();
    gc();
    gc();
    calls();
    for (let n = 0; n < 3; n += 1) gc({ type: 'minor' });
    const before = oldBytes();
    gc();
    return (before - oldBytes()) / 300;
  };
  console.log(JSON.stringify({ assigned: bytesLeft(forms.assigned), named: bytesLeft(forms.named) }));
`;

describe('the reason for the rule', () => {
  const { stdout } = spawnSync(process.execPath, ['--expose-gc', '--eval', PROGRAM], { encoding: 'utf8' });
  const { assigned, named } = JSON.parse(stdout) as { assigned: number; named: number };

  test('what a named function refers to is collected soon', () => {
    expect(named).toBeLessThan(1_000);
  });

  // Later versions may not need the rule.
  test.runIf(process.versions.node.startsWith('20.'))('what an assigned function refers to stays until a full collection', () => {
    expect(assigned).toBeGreaterThan(5_000);
  });
});
