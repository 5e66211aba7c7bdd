/** D44: results of a caller's tools are matched with the calls that requested them. */
import { describe, expect, test } from 'vitest';
import type { ClientTool } from '../src/client/tools/client-tool.js';
import { createToolSession } from '../src/client/tools/tool-session.js';
import { CLIENT_TOOLS, clientTools, memoryStore, type RequestContext, type TaskEvents, type TaskStore } from '../src/server/index.js';
import { manualClock } from '../src/testing/index.js';
import { say } from './harness.js';
import { quiet, refOf, storyOf } from './looking.js';
import { cluster, type Node } from './nodes.js';

type Run = (context: RequestContext, events: TaskEvents) => Promise<void>;

const TOOLS: ClientTool[] = [
  { name: 'weather', description: 'Tells the weather', parameters: { type: 'object' }, execute: ({ city }) => `sun in ${city}` },
  { name: 'time', description: 'Tells the time', parameters: { type: 'object' }, execute: () => ({ hour: 9 }) },
];

/** Each run is on a node of its own, and before each message the node is killed. The tools answer calls, `words` answer questions. */
async function crashing(runs: readonly Run[], words: string[] = [], world = cluster()) {
  const start = (index: number): Node =>
    world.start({ extensions: [CLIENT_TOOLS], executor: { execute: runs[Math.min(index, runs.length - 1)] ?? (async () => {}) } });
  let node = start(0);
  const session = createToolSession(TOOLS, node.agent.cardAt({ url: 'http://localhost', bindings: ['JSONRPC'] }));
  const made: string[] = [];
  let task = await node.caller.task(say([{ text: 'go' }, ...session.schemaParts()]));
  for (let run = 1; run < 10 && task.status.state === 'TASK_STATE_INPUT_REQUIRED'; run += 1) {
    const calls = session.pending(task);
    made.push(...calls.map(({ name, arguments: input }) => `${name} ${input}`));
    const parts = calls.length > 0 ? await session.answer(calls, new AbortController().signal) : [{ text: words.shift() ?? '' }];
    await quiet();
    await world.crash(node);
    node = start(run);
    task = await node.caller.task(say(parts, { taskId: task.id }));
  }
  return { made, said: task.status.message?.parts[0]?.text, story: await storyOf(world.store, refOf(task.id)) };
}

const weatherIn = (context: RequestContext, events: TaskEvents, city: string): Promise<string> =>
  clientTools(context, events).call('weather', { city });

describe('D44: calls of client tools in a turn that restarts', () => {
  test('D44: calls and questions are matched separately, in any order', async () => {
    const callFirst: Run = async (context, events) => {
      const sky = await weatherIn(context, events, 'Ulm');
      await events.complete(`${sky} ${await context.requireInput('where?')}`);
    };
    const askFirst: Run = async (context, events) => {
      const place = await context.requireInput('where?');
      await events.complete(`${await weatherIn(context, events, 'Ulm')} ${place}`);
    };
    const { said, made, story } = await crashing([callFirst, callFirst, askFirst], ['here']);
    expect([said, made]).toEqual(['sun in Ulm here', ['weather {"city":"Ulm"}']]);
    expect(story).not.toContain('note:replies-dropped');
  });

  test('D44: the reply to a question is not used for a call, and the other way round', async () => {
    const asks: Run = async (context, events) => events.complete(await context.requireInput('where?'));
    const calls: Run = async (context, events) => events.complete(await weatherIn(context, events, 'Ulm'));
    expect((await crashing([asks, calls], ['here'])).said).toBe('sun in Ulm');
    expect((await crashing([calls, asks], ['here'])).said).toBe('here');
  });

  test('D44: a call with an id gets its result at any position; without an id the position decides', async () => {
    const inOrder =
      (cities: readonly string[], isNamed: boolean): Run =>
      async (context, events) => {
        const { call } = clientTools(context, events);
        const results: string[] = [];
        for (const city of cities) results.push(await call('weather', { city }, isNamed ? { id: city } : {}));
        await events.complete(results.join(', '));
      };
    const [there, back] = [
      ['Ulm', 'Bonn'],
      ['Bonn', 'Ulm'],
    ];
    const named = await crashing([inOrder(there, true), inOrder(there, true), inOrder(back, true)]);
    expect([named.said, named.made.length]).toEqual(['sun in Bonn, sun in Ulm', 2]);
    const unnamed = await crashing([inOrder(there, false), inOrder(back, false)]);
    expect([unnamed.said, unnamed.made.length]).toEqual(['sun in Bonn, sun in Ulm', 3]);
  });

  test('D44: other arguments with the same id are another call', async () => {
    const call =
      (city: string): Run =>
      async (context, events) =>
        events.complete(await clientTools(context, events).call('weather', { city }, { id: 'sky' }));
    const { said, made } = await crashing([call('Ulm'), call('Bonn')]);
    expect([said, made]).toEqual(['sun in Bonn', ['weather {"city":"Ulm"}', 'weather {"city":"Bonn"}']]);
  });

  test.each([
    ['used twice', ['a', 'a'], 'Two tool calls of one run have the id a.'],
    ['empty', [''], 'The id of a tool call must be a string of 1 to 256 characters, got 0 characters.'],
    ['too long', ['x'.repeat(257)], 'The id of a tool call must be a string of 1 to 256 characters, got 257 characters.'],
    ['not a string', [7], 'The id of a tool call must be a string of 1 to 256 characters, got a value of type number.'],
  ])('D44: an id of a call that is %s is refused, and no call is made', async (_name, ids, message) => {
    const run: Run = async (context, events) => {
      const requests = ids.map((id) => ({ name: 'time', id: id as string }));
      const called = clientTools(context, events).callAll(requests);
      await events.complete(
        await called.then(
          () => 'called',
          ({ message: reason }) => reason,
        ),
      );
    };
    const { said, made } = await crashing([run]);
    expect([said, made]).toEqual([message, []]);
  });

  test('D44: the results in a log of the first version are found by their call ids', async () => {
    const clock = manualClock();
    const inner = memoryStore({ clock });
    const old = (json: string): string => (json.startsWith('{"note":{"kind":"asked"') ? '{"note":{"kind":"asked"}}' : json);
    const commit: TaskStore['commit'] = (writes) =>
      inner.commit(writes.map((write) => ({ ...write, entries: write.entries.map((entry) => ({ ...entry, json: old(entry.json) })) })));
    const run: Run = async (context, events) => {
      const requests = [{ name: 'weather', arguments: { city: 'Ulm' } }, { name: 'time' }];
      const results = await clientTools(context, events).callAll(requests);
      await events.complete(results.map(({ content }) => content).join(' '));
    };
    const { said, made } = await crashing([run], [], cluster({ ...inner, commit }, clock));
    expect([said, made.length]).toEqual(['sun in Ulm {"hour":9}', 2]);
  });
});
