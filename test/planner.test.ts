// Runs the sample planner of the architecture document as a real process with a real file, and kills it at critical points.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Artifact, StreamResponse, Task, TaskStatus } from '@parley/a2a';
import { expect, onTestFinished, test } from 'vitest';
import { send, startExample, stream } from '../examples/start-example.mjs';
import { root } from '../scripts/setup.mjs';

interface Planner {
  readonly url: string;
  /** Ends the process with SIGKILL and restarts it on the same file. */
  kill(): Promise<void>;
  /** Makes plans stop after their first chunk, or continue. */
  hold(isHeld: boolean): void;
}

const STORE = "store: sqlite('agent.db'),";

/** Creates a folder with the agent inside the repository, where it finds the library. */
async function startPlanner(recovery?: 'restart'): Promise<Planner> {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache/planner-'));
  const sample = readFileSync(new URL('planner/agent.mjs', import.meta.url), 'utf8');
  const file = join(folder, 'agent.mjs');
  expect(sample).toContain(STORE);
  writeFileSync(file, recovery ? sample.replace(STORE, `$& recovery: '${recovery}',`) : sample);
  const start = () => startExample(pathToFileURL(file), folder);
  let running = await start();
  onTestFinished(async () => {
    await running.stop('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    get url() {
      return running.url;
    },
    async kill() {
      await running.stop('SIGKILL');
      running = await start();
    },
    hold: (isHeld) => (isHeld ? writeFileSync(join(folder, 'hold'), '') : rmSync(join(folder, 'hold'))),
  };
}

async function ask({ url }: Planner): Promise<string> {
  const { task }: { task: Task } = await send(url, { parts: [{ text: 'Plan a trip' }] });
  expect(task.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
  return task.id;
}

async function answer({ url }: Planner, taskId: string): Promise<Task> {
  return (await send(url, { taskId, parts: [{ text: 'Lisbon' }] })).task;
}

/** Sends the reply, and returns when the first chunk of the plan has arrived. */
async function answerAndRead({ url }: Planner, taskId: string): Promise<void> {
  for await (const { artifactUpdate } of stream(url, { taskId, parts: [{ text: 'Lisbon' }] })) if (artifactUpdate) return;
  throw new Error('no chunk of the plan arrived');
}

/** All events of the task, from start to end. */
async function readLog({ url }: Planner, taskId: string): Promise<readonly StreamResponse[]> {
  const response = await fetch(`${url}/tasks/${taskId}:subscribe`, { headers: { 'A2A-Version': '1.0', 'Last-Event-ID': '0' } });
  return [...(await response.text()).matchAll(/^data: (.*)$/gm)].map(([, json = '']) => JSON.parse(json));
}

async function getTask({ url }: Planner, taskId: string): Promise<Task> {
  const response = await fetch(`${url}/tasks/${taskId}`, { headers: { 'A2A-Version': '1.0' } });
  return JSON.parse(await response.text());
}

const statuses = (log: readonly StreamResponse[]): readonly TaskStatus[] =>
  log.flatMap(({ statusUpdate }) => (statusUpdate ? [statusUpdate.status] : []));

/** The texts of the questions in a log. */
const questions = (log: readonly StreamResponse[]): readonly (string | undefined)[] =>
  statuses(log).flatMap(({ state, message }) => (state === 'TASK_STATE_INPUT_REQUIRED' ? [message?.parts[0]?.text] : []));

/** The artifacts of an undisturbed run. */
const PLAN: readonly Artifact[] = [
  { artifactId: 'plan', parts: [{ text: 'Friday in Lisbon.\nSaturday in Lisbon.\nSunday in Lisbon.\n' }] },
];

test('undisturbed, the planner asks for a city and plans for it', async () => {
  const planner = await startPlanner();
  const taskId = await ask(planner);
  expect((await answer(planner, taskId)).artifacts).toEqual(PLAN);
  expect(questions(await readLog(planner, taskId))).toEqual(['Which city?']);
}, 20_000);

test.each([
  ['once', 1],
  ['twice', 2],
] as const)(
  'D14, P4: killed %s between question and reply, the planner asks once and gives the plan of an undisturbed run',
  async (_often, kills) => {
    const planner = await startPlanner();
    const taskId = await ask(planner);
    for (let kill = 0; kill < kills; kill += 1) {
      await planner.kill();
      expect((await getTask(planner, taskId)).status).toMatchObject({
        state: 'TASK_STATE_INPUT_REQUIRED',
        message: { parts: [{ text: 'Which city?' }] },
      });
    }

    const task = await answer(planner, taskId);
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(task.artifacts).toEqual(PLAN);
    expect(questions(await readLog(planner, taskId))).toEqual(['Which city?']);
  },
  30_000,
);

test('D14: killed after the reply, a planner with restart reads it from the log: it does not ask again, and its plan is complete', async () => {
  const planner = await startPlanner('restart');
  const taskId = await ask(planner);
  planner.hold(true);
  await answerAndRead(planner, taskId);
  await planner.kill();
  planner.hold(false);

  const log = await readLog(planner, taskId); // until the end of the task, which needs no other call
  expect(statuses(log).at(-1)?.state).toBe('TASK_STATE_COMPLETED');
  expect(questions(log)).toEqual(['Which city?']);
  const task = await getTask(planner, taskId);
  expect(task.artifacts).toEqual(PLAN);
  expect(task.history?.filter(({ role }) => role === 'ROLE_USER').map(({ parts }) => parts[0]?.text)).toEqual(['Plan a trip', 'Lisbon']);
}, 30_000);

test('D14: killed before and after the reply, a planner with restart still asks once', async () => {
  const planner = await startPlanner('restart');
  const taskId = await ask(planner);
  await planner.kill();
  planner.hold(true);
  await answerAndRead(planner, taskId);
  await planner.kill();
  await planner.kill();
  planner.hold(false);

  expect(questions(await readLog(planner, taskId))).toEqual(['Which city?']);
  expect(await getTask(planner, taskId)).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' }, artifacts: PLAN });
}, 30_000);

test('D14, D18: killed after the reply, a planner with the default policy fails with a reason and keeps what it wrote', async () => {
  const planner = await startPlanner();
  const taskId = await ask(planner);
  planner.hold(true);
  await answerAndRead(planner, taskId);
  await planner.kill();

  expect(questions(await readLog(planner, taskId))).toEqual(['Which city?']);
  expect(await getTask(planner, taskId)).toMatchObject({
    status: { state: 'TASK_STATE_FAILED', message: { metadata: { 'urn:parley:a2a:error': { reason: expect.any(String) } } } },
    artifacts: [{ parts: [{ text: 'Friday in Lisbon.\n' }] }],
  });
}, 30_000);
