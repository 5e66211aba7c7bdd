// Streams over a real socket: where they begin, and how they are resumed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Endpoint, endpointsOf, fetchAt, type StreamedEvent, taskOf, userMessage } from '../../test/endpoints.js';
import { createAgent } from '../server/create-agent.js';
import { type ScriptedExecutor, scriptedExecutor } from '../testing/scripted-executor.js';
import { type Listening, listen } from './node.js';

const STEPS = [
  { do: 'working', text: 'on it' },
  { do: 'append', artifactId: 'a', text: 'one' },
  { do: 'flush' },
  { do: 'gate', name: 'go' },
  { do: 'append', artifactId: 'a', text: 'two' },
  { do: 'complete' },
] as const;

// input 1, task 2, working 3, one 4, [gate], two 5, completed 6
interface Scene {
  readonly listening: Listening;
  readonly executor: ScriptedExecutor;
  readonly doors: readonly [Endpoint, Endpoint];
}

async function stage(): Promise<Scene> {
  const executor = scriptedExecutor(STEPS);
  const listening = await listen(createAgent({ maxReadersPerCaller: 1_000, name: 'Stage', executor }), { port: 0 });
  return { listening, executor, doors: endpointsOf(fetchAt(listening.url)) };
}

const ids = (events: readonly StreamedEvent[]): readonly (string | undefined)[] => events.map(({ id }) => id);
const kinds = (events: readonly StreamedEvent[]): readonly string[] => events.map(({ result }) => Object.keys(result ?? {})[0] ?? 'error');

for (const which of [0, 1] as const) {
  const name = which === 0 ? 'JSON-RPC' : 'HTTP+JSON';

  /** A task that waits at the gate, with the id of its newest event. */
  const begin = async ({ doors }: Scene) => {
    const stream = await doors[which].stream('SendStreamingMessage', userMessage('x'));
    const first = await stream.next();
    for (let seen = first; seen?.id !== '4'; ) seen = await stream.next();
    await stream.cancel();
    return { door: doors[which], id: first?.result?.task?.id };
  };

  test(`D4: ${name}: without the header a subscription begins with the current Task, then continues`, async () => {
    const scene = await stage();
    const { door, id } = await begin(scene);
    const stream = await door.stream('SubscribeToTask', { id });
    const first = await stream.next();
    expect([first?.id, first?.result?.task?.artifacts?.[0]?.parts]).toEqual(['4', [{ text: 'one' }]]);
    scene.executor.open('go');
    const rest = await stream.rest();
    expect([ids(rest), kinds(rest)]).toEqual([
      ['5', '6'],
      ['artifactUpdate', 'statusUpdate'],
    ]);
    expect((await door.call('SubscribeToTask', { id })).error?.reason).toBe('UNSUPPORTED_OPERATION');
    await scene.listening.close();
  });

  test(`D4: ${name}: with the last id of an earlier stream it continues after it, without a snapshot`, async () => {
    const scene = await stage();
    const { door, id } = await begin(scene);
    const streams = await Promise.all(
      ['0', '2', '3', '4'].map((after) => door.stream('SubscribeToTask', { id }, { 'last-event-id': after })),
    );
    scene.executor.open('go');
    const all = await Promise.all(streams.map((stream) => stream.rest()));
    expect(all.map(ids)).toEqual([
      ['2', '3', '4', '5', '6'],
      ['3', '4', '5', '6'],
      ['4', '5', '6'],
      ['5', '6'],
    ]);
    expect(all.map((events) => kinds(events)[0])).toEqual(['task', 'statusUpdate', 'artifactUpdate', 'artifactUpdate']);
    await scene.listening.close();
  });

  test(`D4: ${name}: on an ended task it sends the missed events, then ends`, async () => {
    const scene = await stage();
    scene.executor.open('go');
    const door = scene.doors[which];
    const { id } = taskOf(await door.call('SendMessage', userMessage('x')));
    for (const [after, expected] of [
      ['0', ['2', '3', '4', '5', '6']],
      ['4', ['5', '6']],
      ['6', []],
    ] as const) {
      expect(ids(await (await door.stream('SubscribeToTask', { id }, { 'last-event-id': after })).rest()), after).toEqual(expected);
    }
    await scene.listening.close();
  });

  test(`D4: ${name}: an id that is malformed or beyond the log is ignored`, async () => {
    const scene = await stage();
    const { door, id } = await begin(scene);
    const wrong = ['x', '-1', '1.5', '5', '999999999999999999999', ' ', '0x1'];
    for (const after of wrong) {
      const stream = await door.stream('SubscribeToTask', { id }, { 'last-event-id': after });
      const first = await stream.next();
      expect([first?.id, first?.result?.task?.id], after).toEqual(['4', id]);
      await stream.cancel();
    }
    scene.executor.open('go');
    await (await door.stream('SubscribeToTask', { id }, { 'last-event-id': '4' })).rest();
    for (const after of wrong.map((each) => (each === '5' ? '7' : each))) {
      expect((await door.call('SubscribeToTask', { id }, { 'last-event-id': after })).error?.reason, after).toBe('UNSUPPORTED_OPERATION');
    }
    await scene.listening.close();
  });
}

let shared: Scene;
beforeAll(async () => {
  shared = await stage();
});
afterAll(() => shared.listening.close());

test('D4: two hundred readers of one task, over both bindings, see the same events in the same order', async () => {
  const { doors, executor } = shared;
  const stream = await doors[0].stream('SendStreamingMessage', userMessage('x'));
  const id = (await stream.next())?.result?.task?.id;
  const readers = await Promise.all(
    Array.from({ length: 200 }, (_, n) => doors[n % 2 === 0 ? 0 : 1].stream('SubscribeToTask', { id }, { 'last-event-id': '2' })),
  );
  executor.open('go');
  const texts = await Promise.all(
    readers.map(async (reader) => JSON.stringify((await reader.rest()).map(({ id: seq, result }) => [seq, result]))),
  );
  expect(new Set(texts).size).toBe(1);
  expect(JSON.parse(texts[0] ?? '').map(([seq]: [string]) => seq)).toEqual(['3', '4', '5', '6']);
  await stream.rest();
});
