// The quick run of `npm run e2e`: the scenario `tour`. It installs what it needs.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runScript } from './run-script.js';

test('Studio streams, asks, stops, downloads files, survives a reload, fits a phone and runs no hostile content', async () => {
  const out = mkdtempSync(join(tmpdir(), 'parley-shots-'));
  onTestFinished(() => rmSync(out, { recursive: true, force: true }));
  const { code, output } = await runScript('e2e.mjs', '--quick', '--out', out);
  expect(output).toContain('All 1 scenarios passed.');
  expect(code).toBe(0);
}, 180_000);
