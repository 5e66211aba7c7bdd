/** Peers without event ids that repeat events after a reconnect, over a real connection that breaks. */
import { expect, test } from 'vitest';
import { createClient } from '../../src/client/create-client.js';
import { createRun, createWatch } from '../../src/client/run/create-run.js';
import type { Reply, Update } from '../../src/client/run/update.js';
import type { Part, StreamResponse, Task } from '../../src/protocol/types.js';
import { faultServer } from '../../src/testing/fault-server.js';
import { deltas, walk, walkOver } from './run-walk.js';
import { CONTEXT, chunk, says, scriptedPeer, status, TASK, task } from './scripted-peer.js';

const BEGIN = task('TASK_STATE_WORKING');
const DONE = status('TASK_STATE_COMPLETED');
const snapshot = (artifacts: Readonly<Record<string, string | readonly Part[]>>): StreamResponse =>
  task('TASK_STATE_WORKING', {
    artifacts: Object.entries(artifacts).map(([artifactId, content]) => ({
      artifactId,
      parts: typeof content === 'string' ? [{ text: content }] : content,
    })),
  });

interface Seen {
  readonly updates: readonly Update[];
  readonly reply: Reply;
}

/** The connection drops after the first events; the subscription sends the second list. */
async function readOver(first: readonly StreamResponse[], then: readonly StreamResponse[]): Promise<Seen> {
  const script = { SendStreamingMessage: { events: first, finish: 'drop' }, SubscribeToTask: { events: then } } as const;
  const server = await faultServer({ script });
  const client = createClient(server.url, { reconnect: { initialDelayMs: 0 } });
  try {
    const run = client.run('Hi');
    const updates: Update[] = [];
    for await (const update of run) updates.push(update);
    return { updates, reply: await run.result };
  } finally {
    await client.close();
    await server.close();
  }
}

const contents = (task: Task | undefined): Record<string, string> =>
  Object.fromEntries((task?.artifacts ?? []).map(({ artifactId, parts }) => [artifactId, parts.map(({ text = '' }) => text).join('')]));

const finalOf = ({ reply }: Seen): Record<string, string> => contents(reply.kind === 'task' ? reply.task : undefined);

const one = chunk('one ', { id: 'a', append: false, last: true });
const two = chunk('two ', { id: 'b', append: false });
const three = chunk('three', { id: 'b', last: true });

test('F30: a finished artifact that is repeated after the snapshot is delivered once', async () => {
  const seen = await readOver([BEGIN, one, two], [snapshot({ a: 'one ', b: 'two ' }), one, three, DONE]);
  expect(deltas(seen.updates)).toEqual(['one ', 'two ', 'three']);
  expect(finalOf(seen)).toEqual({ a: 'one ', b: 'two three' });
});

test('F30: a repeated last chunk of a finished artifact is not added twice', async () => {
  const [on, e] = [chunk('on', { append: false }), chunk('e', { last: true })];
  const seen = await readOver([BEGIN, on, e], [snapshot({ answer: 'one' }), e, DONE]);
  expect(deltas(seen.updates)).toEqual(['on', 'e']);
  expect(finalOf(seen)).toEqual({ answer: 'one' });
});

test('F30: repeated content that is split into other parts counts as the same content', async () => {
  const parts = [{ text: 'Hel' }, { text: 'lo' }, { data: { n: 1 } }, { text: 'bye' }];
  const whole = chunk('', { append: false, last: true, parts });
  const again = [
    chunk('', { append: false, parts: [{ text: 'H' }, { text: '' }, { text: 'ello' }] }),
    chunk('', { parts: [{ data: { n: 1 } }, { text: 'b' }] }),
    chunk('ye', { last: true }),
  ];
  const seen = await readOver([BEGIN, whole], [snapshot({ answer: parts }), ...again, DONE]);
  expect(seen.updates.filter(({ kind }) => kind === 'artifact')).toHaveLength(1);
  expect(seen.reply.artifacts).toEqual([{ artifactId: 'answer', parts }]);
});

test('F30: when the log is repeated from the start, only new content is added, with and without a snapshot before it', async () => {
  const said = says('On it');
  const log = [task('TASK_STATE_SUBMITTED'), status('TASK_STATE_WORKING', said, '2026-01-01T00:00:01.000Z'), one, two];
  const rest = [chunk('and ', { id: 'b' }), three, status('TASK_STATE_COMPLETED', undefined, '2026-01-01T00:00:02.000Z')];
  const undisturbed = await walk([{ events: [...log, ...rest] }]);
  const artifacts = [one, two].flatMap(({ artifactUpdate }) => artifactUpdate?.artifact ?? []);
  const current = { state: 'TASK_STATE_WORKING', message: said, timestamp: '2026-01-01T00:00:01.000Z' } as const;
  for (const before of [[], [{ task: { id: TASK, contextId: CONTEXT, status: current, artifacts } }]]) {
    const seen = await readOver(log, [...before, ...log, ...rest]);
    expect(deltas(seen.updates)).toEqual(['one ', 'two ', 'and ', 'three']);
    expect(seen.reply).toMatchObject({ text: undisturbed.reply?.text, artifacts: undisturbed.reply?.artifacts });
    const history = seen.reply.kind === 'task' ? seen.reply.task.history : [];
    expect(history).toEqual([said]);
  }
});

test('F30: an unfinished artifact that is repeated from its start continues after the known content', async () => {
  const again = [chunk('tw', { id: 'b', append: false }), chunk('o ', { id: 'b' })];
  const seen = await readOver([BEGIN, two], [snapshot({ b: 'two ' }), ...again, three, DONE]);
  expect(deltas(seen.updates)).toEqual(['two ', 'three']);
  expect(finalOf(seen)).toEqual({ b: 'two three' });
});

test('F30: of an artifact that is repeated with more content, only the rest is new', async () => {
  const seen = await readOver([BEGIN, two], [snapshot({ b: 'two ' }), chunk('two three', { id: 'b', append: false, last: true }), DONE]);
  expect(deltas(seen.updates)).toEqual(['two ', 'three']);
  expect(seen.updates.findLast((update) => update.kind === 'artifact')).toMatchObject({ append: true, last: true });
});

test('F30: an artifact that restarts after the gap is emitted again, also when it starts like the old one', async () => {
  for (const anew of [['other'], ['two', ' ends differently'], ['two', ' ']]) {
    const [head = '', ...tail] = anew;
    const events = [chunk(head, { id: 'b', append: false }), ...tail.map((text) => chunk(text, { id: 'b' }))];
    const old = chunk('two  long', { id: 'b', append: false });
    const seen = await readOver([BEGIN, old], [snapshot({ b: 'two  long' }), ...events, DONE]);
    expect(finalOf(seen)).toEqual({ b: anew.join('') });
    expect(deltas(seen.updates)).toEqual(['two  long', ...anew]);
    const text = seen.updates.filter((update) => update.kind === 'text');
    expect(text[1]).toMatchObject({ append: false, delta: head });
    expect(text.at(-1)?.text).toBe(anew.join(''));
  }
});

test('F30: a finished artifact that is repeated with less content is emitted again', async () => {
  const again = chunk('one', { id: 'a', append: false, last: true });
  const seen = await readOver([BEGIN, one], [snapshot({ a: 'one ' }), again, DONE]);
  expect(finalOf(seen)).toEqual({ a: 'one' });
});

test('F30: an answered question is not asked again when the log is repeated', async () => {
  const asks = status('TASK_STATE_INPUT_REQUIRED', says('Which city?'), '2026-01-01T00:00:01.000Z');
  const works = status('TASK_STATE_WORKING', undefined, '2026-01-01T00:00:02.000Z');
  let asked = 0;
  const onInputRequired = (): string => {
    asked += 1;
    return 'Lisbon';
  };
  const { reply } = await walk(
    [{ events: [BEGIN, asks] }, { events: [works, one], end: 'drop' }, { events: [BEGIN, asks, works, one, two, DONE] }],
    { onInputRequired },
  );
  expect([asked, reply?.kind === 'task' && contents(reply.task)]).toEqual([1, { a: 'one ', b: 'two ' }]);
});

test('F30: after a gap, a question from a node with a slow clock is asked', async () => {
  const [early, late] = ['2026-01-01T00:00:01.000Z', '2026-01-01T00:00:05.000Z'];
  const asked: string[] = [];
  const { reply } = await walk(
    [
      { events: [BEGIN, status('TASK_STATE_WORKING', undefined, late)], end: 'drop' },
      { events: [status('TASK_STATE_INPUT_REQUIRED', says('Which one?'), early)] },
      { events: [DONE] },
    ],
    {
      onInputRequired: (prompt) => {
        asked.push(prompt);
        return 'this one';
      },
    },
  );
  expect(asked).toEqual(['Which one?']);
  expect(reply?.finishReason).toBe('completed');
});

test('F30: equal chunks of an unfinished artifact are all delivered', async () => {
  const ha = chunk('ha ');
  const seen = await readOver([BEGIN, chunk('ha ', { append: false }), ha], [snapshot({ answer: 'ha ha ' }), ha, ha, DONE]);
  expect(finalOf(seen)).toEqual({ answer: 'ha ha ha ha ' });
});

test('F30: a place stores the ids of finished artifacts, so a watch that resumes from it does not duplicate them', async () => {
  const [on, e] = [chunk('on', { append: false }), chunk('e', { last: true })];
  const first = scriptedPeer([{ events: [BEGIN, on, e], end: 'stall' }]);
  const run = createRun(first, 'Hi');
  for await (const update of run) if (update.kind === 'text' && update.delta === 'e') break;
  const place = JSON.parse(JSON.stringify(run.place));
  expect(place).toMatchObject({ task: { id: TASK, contextId: CONTEXT }, finished: ['answer'] });
  const second = scriptedPeer([{ events: [snapshot({ answer: 'one' }), e, chunk('!', { id: 'more', append: false }), DONE] }]);
  const { updates, reply } = await walkOver(second, createWatch(second, TASK, { from: place }));
  expect(deltas(updates)).toEqual(['!']);
  expect(reply?.kind === 'task' && contents(reply.task)).toEqual({ answer: 'one', more: '!' });
  expect(() => createWatch(second, TASK, { from: { ...place, finished: [1] } })).toThrow(
    'from.finished must be a list of artifact ids, got [1]',
  );
});

test('F30: a long artifact that is repeated in small chunks, its second half twice, is delivered once', async () => {
  const count = 2_000;
  const chunks = Array.from({ length: count }, (_, index) => chunk(`${index} `, { append: index > 0, last: index === count - 1 }));
  const whole = chunks.map((_, index) => `${index} `).join('');
  const late = chunks.slice(-count / 2);
  const { reply, updates } = await walk([
    { events: [BEGIN, ...chunks], end: 'drop' },
    { events: [snapshot({ answer: whole }), ...chunks, ...late, DONE] },
  ]);
  expect(reply?.text).toBe(whole);
  expect(updates.filter(({ kind }) => kind === 'artifact')).toHaveLength(count);
});
