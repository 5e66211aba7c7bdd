/** F1 with real processes: the agent is killed between the question and the reply, and the new process asks for another price. */
import { beforeAll, describe, expect, test } from 'vitest';
import { bundleScript, startChild } from './child.js';
import { endpointsOf, fetchAt, taskOf, userMessage } from './endpoints.js';
import { tempFiles, tempFolder } from './temp-folder.js';

const folder = tempFolder();
const newFile = tempFiles();
let script: string;

beforeAll(async () => {
  script = await bundleScript(new URL('questions-child.ts', import.meta.url), folder);
}, 30_000);

async function start(file: string, price: number) {
  const child = startChild(script, file, String(price));
  await child.printed(1);
  const [door] = endpointsOf(fetchAt(child.lines[0] ?? ''));
  const send = async (text: string, taskId?: string) =>
    taskOf(await door.call('SendMessage', userMessage(text, taskId === undefined ? {} : { taskId })));
  return { child, send };
}

describe('F1: on SQLite, with a process that is killed', () => {
  test('F1: "yes" to 10 EUR is not a reply to 10000 EUR: the new question is asked', { timeout: 60_000 }, async () => {
    const file = newFile();
    const first = await start(file, 10);
    const { id, status } = await first.send('shoes, please');
    expect(status.message?.parts).toEqual([{ text: 'Pay 10 EUR?' }]);
    await first.child.kill();

    const second = await start(file, 10_000);
    const asked = await second.send('yes', id);
    expect(asked.status).toMatchObject({ state: 'TASK_STATE_INPUT_REQUIRED', message: { parts: [{ text: 'Pay 10000 EUR?' }] } });
    await second.child.kill();

    const third = await start(file, 10_000);
    const done = await third.send('no', id);
    expect(done.status).toMatchObject({ state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: '10000 EUR: no' }] } });
  });

  test('F1: the same question gets its reply, however often the process was killed', { timeout: 60_000 }, async () => {
    const file = newFile();
    const first = await start(file, 10);
    const { id } = await first.send('shoes, please');
    await first.child.kill();
    const second = await start(file, 10);
    const done = await second.send('yes', id);
    expect(done.status).toMatchObject({ state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: '10 EUR: yes' }] } });
  });
});
