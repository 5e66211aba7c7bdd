import type { Listening } from '@parley/a2a/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, connect, fastClock, outline, readJson, textOf } from '../test/client.js';
import { ABILITIES } from './abilities.js';
import { startDemo } from './start-demo.js';

let listening: Listening;
let demo: Client;
const crashes: unknown[] = [];

beforeAll(async () => {
  listening = await startDemo({ port: 0, clock: fastClock, onError: ({ cause }) => crashes.push(cause) });
  demo = connect(listening.url);
});

afterAll(() => listening.close({ drainMs: 100 }));

describe('what the demo does for each word', () => {
  test('help: returns one line for each word, including itself', async () => {
    const { task } = await demo.send('help');
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    const lines = textOf(task, 'help').trim().split('\n').slice(1);
    expect(lines.map((line) => line.replace(/^- (\w+): .*$/, '$1'))).toEqual([...ABILITIES.map(({ word }) => word), 'echo']);
  });

  test('story: streams a long text as one artifact in many chunks, with rising ids, and marks the last chunk', async () => {
    const events = await demo.stream('story');
    const chunks = events.filter(({ artifactUpdate }) => artifactUpdate);
    expect(outline(events).slice(0, 4)).toEqual(['SUBMITTED', 'WORKING', 'story', '+story']);
    expect(outline(events).at(-1)).toBe('COMPLETED');
    expect(chunks.length).toBeGreaterThan(40);
    expect(chunks.map(({ artifactUpdate }) => artifactUpdate?.lastChunk ?? false).indexOf(true)).toBe(chunks.length - 1);
    expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => index + 2));
    expect(chunks.map(({ artifactUpdate }) => artifactUpdate?.artifact.parts[0]?.text).join('')).toMatch(
      /^The lighthouse [\s\S]* twenty-one\.$/,
    );
  });

  test('question: asks, then streams an answer that uses the reply', async () => {
    const { task } = await demo.send('question');
    expect(task.status).toMatchObject({ state: 'TASK_STATE_INPUT_REQUIRED', message: { parts: [{ text: /Which city/ }] } });
    const events = await demo.stream('Lisbon', { taskId: task.id });
    expect(outline(events).slice(0, 3)).toEqual(['WORKING', 'plan', '+plan']);
    expect(outline(events).at(-1)).toBe('COMPLETED');
    expect(events.filter(({ artifactUpdate }) => artifactUpdate).length).toBeGreaterThan(5);
    expect(JSON.stringify(events)).toContain('Lisbon');
  });

  test('auth: asks for a permission and continues when it gets it', async () => {
    const { task } = await demo.send('auth');
    expect(task.status.state).toBe('TASK_STATE_AUTH_REQUIRED');
    const { task: after } = await demo.send('yes', { taskId: task.id });
    expect(after.status.state).toBe('TASK_STATE_COMPLETED');
    expect(textOf(after, 'calendar')).toContain('free all day');
  });

  test('auth: "no" ends the task as rejected', async () => {
    const { task } = await demo.send('auth');
    const { task: after } = await demo.send('no, thanks', { taskId: task.id });
    expect(after.status.state).toBe('TASK_STATE_REJECTED');
  });

  test('slow: reports its progress', async () => {
    const events = await demo.stream('slow 4');
    const steps = events.flatMap(({ statusUpdate }) => statusUpdate?.metadata?.progress ?? []);
    expect(steps).toEqual([0.25, 0.5, 0.75, 1]);
    expect(outline(events).slice(-2)).toEqual(['result', 'COMPLETED']);
  });

  test('slow: can be canceled', async () => {
    const { task } = await demo.send('slow 600', { returnImmediately: true });
    const watching = demo.subscribe(task.id);
    expect((await demo.cancel(task.id)).status).toMatchObject({
      state: 'TASK_STATE_CANCELED',
      message: { parts: [{ text: 'Stopped at your request.' }] },
    });
    expect(outline(await watching).at(-1)).toBe('CANCELED');
  });

  test('file: returns a file artifact', async () => {
    const { task } = await demo.send('file');
    const [part] = task.artifacts?.[0]?.parts ?? [];
    expect(part).toMatchObject({ filename: 'planets.csv', mediaType: 'text/csv' });
    expect(Buffer.from(part?.raw ?? '', 'base64').toString()).toContain('Mars,2');
  });

  test('data: returns a data artifact', async () => {
    const { task } = await demo.send('data please');
    expect(task.artifacts?.[0]?.parts[0]?.data).toMatchObject({ text: 'data please', characters: 11, taskId: task.id });
  });

  test('image: returns a PNG', async () => {
    const { task } = await demo.send('image of the sea');
    const [part] = task.artifacts?.[0]?.parts ?? [];
    const bytes = Buffer.from(part?.raw ?? '', 'base64');
    expect(part?.mediaType).toBe('image/png');
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([64, 64]);
  });

  test('markdown: streams a page with all elements of Markdown', async () => {
    const events = await demo.stream('markdown');
    expect(events.length).toBeGreaterThan(30);
    const text = textOf((await demo.send('markdown')).task, 'page');
    for (const piece of ['# A walk', '## What', '1. Water', '   - on paper', '|---|---|', '```ts\n', '](https://', '> If'])
      expect(text).toContain(piece);
  });

  test('chunks: sends the requested number of chunks, numbered, with the same text each time', async () => {
    const events = await demo.stream('chunks 45');
    const chunks = events.flatMap(({ artifactUpdate }) => artifactUpdate?.artifact.parts[0]?.text ?? []);
    expect(chunks).toHaveLength(45);
    expect(chunks.join('').trim().split(/\s/)).toEqual(Array.from({ length: 45 }, (_, index) => String(index + 1)));
    expect(textOf((await demo.send('chunks 45')).task, 'chunks')).toBe(chunks.join(''));
    expect(events.at(-2)?.artifactUpdate?.lastChunk).toBe(true);
  });

  test('chunks: can be canceled, and is limited to a hundred thousand', async () => {
    const { task } = await demo.send('chunks 99999999', { returnImmediately: true });
    expect(task.status.message?.parts[0]?.text ?? '').not.toContain('99999999');
    expect((await demo.cancel(task.id)).status.state).toBe('TASK_STATE_CANCELED');
  });

  test('artifacts: returns four named artifacts, and marks the last chunk of the first two', async () => {
    const events = await demo.stream('artifacts');
    const updates = events.flatMap(({ artifactUpdate }) => artifactUpdate ?? []);
    const last = updates.filter(({ lastChunk }) => lastChunk).map(({ artifact }) => artifact.artifactId);
    expect(last).toEqual(['notes', 'rain']);
    expect(updates.filter(({ append, artifact }) => append && artifact.artifactId === 'rain')).toHaveLength(6);
    const { task } = await demo.send('artifacts');
    expect(task.artifacts?.map(({ name }) => name)).toEqual(['notes.txt', 'rain.csv', 'rings.png', 'sums.json']);
    expect(textOf(task, 'rain')).toMatch(/^month,.*\nJanuary,68,17\n[\s\S]*June,61,12\n$/);
  });

  test('hostile: returns dangerous content unchanged, so that pages can be tested with it', async () => {
    const { task } = await demo.send('hostile');
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    const json = JSON.stringify(task);
    for (const piece of ['<script>', 'onerror=', 'javascript:', '![beacon](https://', '\u202e', '\\u0000', '__html'])
      expect(json).toContain(piece);
    expect(json.match(/https?:\/\/[\w.-]+/g)?.every((url) => /elsewhere\.invalid|www\.w3\.org/.test(url))).toBe(true);
  });

  test('large: returns megabytes in chunks', { timeout: 20_000 }, async () => {
    const { task } = await demo.send('large 2');
    const text = textOf(task, 'large');
    expect(text).toHaveLength(2_000_000);
    expect(text.slice(-50)).toMatch(/^line 40000 \.+\n$/);
  });

  test('message: replies with a Message, alone in its stream and without an id', async () => {
    expect((await demo.send('message')).message?.parts[0]?.text).toContain('no task');
    const events = await demo.stream('message');
    expect(outline(events)).toEqual(['message']);
    expect(events[0]?.id).toBeNaN();
  });

  test('recall: returns what was said before in the same conversation', async () => {
    const { task } = await demo.send('a walnut');
    const { task: after } = await demo.send('recall', { contextId: task.contextId ?? '' });
    expect(textOf(after, 'memories')).toContain('You said: a walnut');
    expect(textOf((await demo.send('recall')).task, 'memories')).toBe('This is the first thing you say here.');
  });

  test('reject: returns a rejected task', async () => {
    expect((await demo.send('reject')).task.status.state).toBe('TASK_STATE_REJECTED');
  });

  test('fail: returns a failed task that says why and when to retry', async () => {
    const { status } = (await demo.send('fail')).task;
    expect(status.state).toBe('TASK_STATE_FAILED');
    expect(status.message?.metadata).toEqual({
      'urn:parley:a2a:error': { reason: 'RATE_LIMITED', code: -31004, retryable: true, retryAfterMs: 30_000 },
    });
  });

  test('crash: returns a failed task that does not reveal the error', async () => {
    const { task } = await demo.send('crash');
    expect(task.status.state).toBe('TASK_STATE_FAILED');
    expect(JSON.stringify(task)).not.toContain('asked for');
    expect(String(crashes.at(-1))).toContain('asked for');
  });

  test('busy: fails the call itself, and says when to retry', async () => {
    const message = { messageId: '1', role: 'ROLE_USER', parts: [{ text: 'busy' }] };
    const response = await demo.post('/message:send', { message });
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(JSON.stringify(await response.json())).toContain('"reason":"AGENT_UNAVAILABLE"');
  });

  test('D41: any other text is answered with a streamed artifact of several chunks', async () => {
    for (const text of ['xyzzy', 'Please tell me a story', '', '🦊', 'x'.repeat(100_000)]) {
      const events = await demo.stream(text);
      expect(outline(events).slice(0, 4)).toEqual(['SUBMITTED', 'WORKING', 'answer', '+answer']);
      expect(outline(events).at(-1)).toBe('COMPLETED');
      expect(events.length).toBeGreaterThan(6);
    }
  });

  test('parts that are not text are described in the answer', async () => {
    const parts = [{ data: { a: [1] } }, { raw: 'AAEC', filename: 'notes.txt', mediaType: 'text/plain' }];
    const { task } = await demo.send('', { parts });
    expect(textOf(task, 'answer')).toContain('You sent the data {"a":[1]}, and a file notes.txt (text/plain).');
  });
});

describe('how the word of a message is found', () => {
  test('only the first word counts, in any case and with any marks around it', async () => {
    for (const text of ['FILE', '  file  ', '/file', '"file", please', 'file!']) {
      expect((await demo.send(text)).task.artifacts?.[0]?.name).toBe('planets.csv');
    }
    expect((await demo.send('files')).task.artifacts?.[0]?.artifactId).toBe('answer');
  });

  test('the skills of the card are the abilities', async () => {
    const card = await readJson(await fetch(`${listening.url}/.well-known/agent-card.json`));
    expect(card.skills.map(({ id }: { id: string }) => id)).toEqual([...ABILITIES.map(({ word }) => word), 'echo']);
  });
});

test('D4: an interrupted stream resumes after its last event id, also when the task has ended', async () => {
  const all = await demo.stream('story');
  const taskId = all[0]?.task?.id ?? '';
  const rest = await demo.subscribe(taskId, 9);
  expect(rest).toEqual(all.filter(({ id }) => id > 9));
});
