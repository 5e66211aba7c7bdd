// Artifacts are previewed and downloaded, byte for byte.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { seriousViolations } from '../axe.mjs';
import { Studio } from '../studio.mjs';

/** @type {import('../run-scenario.mjs').Scenario} */
export default {
  name: 'artifacts',
  async run({ page, url, shot }) {
    const studio = await Studio.open(page, url);
    await studio.ask('artifacts');
    const csv = await studio.download('rain.csv');
    assert.equal(csv.name, 'rain.csv');
    assert.match(await readFile(csv.path, 'utf8'), /^month,rain in mm,days\nJanuary,68,17\n[\s\S]*June,61,12\n$/);
    const png = await readFile((await studio.download('rings.png')).path);
    assert.deepEqual([...png.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
    const json = await studio.download('sums.json');
    assert.deepEqual(JSON.parse(await readFile(json.path, 'utf8')), { months: 6, wettest: 'January', total: { mm: 323, days: 79 } });

    await studio.artifacts.getByRole('button', { name: 'Preview rain.csv', exact: true }).click();
    await page.getByRole('cell', { name: 'January' }).waitFor();
    await shot('preview');
    assert.deepEqual(await seriousViolations(page), []);
    await studio.artifacts.getByRole('button', { name: 'Preview rings.png', exact: true }).click();
    const picture = page.getByRole('img').last();
    await picture.waitFor();
    assert.ok(
      await picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth === 64),
      'the picture is displayed',
    );
    await shot('picture');
  },
};
