/** F1 with real processes, on any store: the agent is killed between the question and the reply, and the next process continues. */
import { beforeAll, expect, test } from 'vitest';
import type { TaskStore } from '../src/stores/store.js';
import { bundleScript, startChild } from './child.js';
import { endpointsOf, fetchAt, taskOf, userMessage } from './endpoints.js';
import { refOf, storyOf } from './looking.js';
import { tempFolder } from './temp-folder.js';

interface Cashier {
  /** Arguments for the store of `questions-child.ts`, new ones on each call. */
  newPlace(): readonly string[];
  /** Opens the store of these arguments in this process. */
  open(...place: readonly string[]): TaskStore;
}

/** Defines the tests. */
export function testKilledCashier({ newPlace, open }: Cashier): void {
  const folder = tempFolder();
  let script: string;

  beforeAll(async () => {
    script = await bundleScript(new URL('questions-child.ts', import.meta.url), folder);
  }, 30_000);

  async function start(place: readonly string[], price: number) {
    const child = startChild(script, String(price), ...place);
    await child.printed(1);
    const [endpoint] = endpointsOf(fetchAt(child.lines[0] ?? ''));
    const send = async (text: string, taskId?: string) =>
      taskOf(await endpoint.call('SendMessage', userMessage(text, taskId === undefined ? {} : { taskId })));
    const kill = async (): Promise<void> => expect(await child.kill()).toEqual({ code: null, signal: 'SIGKILL' });
    return { kill, send };
  }

  test('F1: "yes" to 10 EUR is not a reply to 10000 EUR: the new question is asked', { timeout: 60_000 }, async () => {
    const place = newPlace();
    const first = await start(place, 10);
    const { id, status } = await first.send('shoes, please');
    expect(status.message?.parts).toEqual([{ text: 'Pay 10 EUR?' }]);
    await first.kill();

    const second = await start(place, 10_000);
    const asked = await second.send('yes', id);
    expect(asked.status).toMatchObject({ state: 'TASK_STATE_INPUT_REQUIRED', message: { parts: [{ text: 'Pay 10000 EUR?' }] } });
    await second.kill();

    const third = await start(place, 10_000);
    const done = await third.send('no', id);
    expect(done.status).toMatchObject({ state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: '10000 EUR: no' }] } });
    await third.kill();

    const store = open(...place);
    expect((await storyOf(store, refOf(id))).filter((line) => line === 'note:replies-dropped')).toHaveLength(1);
    await store.close();
  });

  test('F1: the same question gets its reply, however often the process was killed', { timeout: 60_000 }, async () => {
    const place = newPlace();
    const first = await start(place, 10);
    const { id } = await first.send('shoes, please');
    await first.kill();
    const second = await start(place, 10);
    const done = await second.send('yes', id);
    expect(done.status).toMatchObject({ state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: '10 EUR: yes' }] } });
  });
}
