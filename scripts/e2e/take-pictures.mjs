// A conversation in Studio with a question and a streamed answer beside its log of events; one picture for each color scheme.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { CHROMIUM, CHROMIUM_FLAGS } from '../chromium.mjs';
import { root } from '../setup.mjs';
import { Server } from './server.mjs';
import { Studio } from './studio.mjs';
import { until } from './until.mjs';

const FOLDER = join(root, 'docs/pictures');
/** GitHub shows a README about 900 pixels wide. With a scale of 1.5 the text stays sharp on dense screens, and the files stay small. */
const BROWSER = { viewport: { width: 1280, height: 720 }, deviceScaleFactor: 1.5 };
const QUESTION = 'Which city would you like to visit?';

await mkdir(FOLDER, { recursive: true });
const server = await Server.start();
const browser = await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_FLAGS });
try {
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) await takePicture(colorScheme);
} finally {
  await browser.close();
  await server.stop();
}

/** @param {'light' | 'dark'} colorScheme */
async function takePicture(colorScheme) {
  const context = await browser.newContext({ ...BROWSER, colorScheme });
  const page = await context.newPage();
  const studio = await Studio.open(page, server.url);
  for (const earlier of ['story', 'markdown', 'artifacts']) {
    await studio.ask(earlier);
    await studio.threads.getByRole('button', { name: 'New conversation' }).click();
    await until('a new conversation', async () => (await studio.said.count()) === 0);
  }
  await studio.say('question');
  await studio.question.getByText(QUESTION).waitFor();
  await studio.say('Lisbon');
  await studio.answer.getByText('A day in Lisbon.').first().waitFor();
  await studio.ended();
  const path = join(FOLDER, `studio-${colorScheme}.png`);
  await page.screenshot({ path });
  await context.close();
  console.log(`Wrote docs/pictures/studio-${colorScheme}.png`);
}
