import { describe, expect, test } from 'vitest';
import { manualClock } from '../../testing/index.js';
import { appended, commitAll, creation, entered, entry, message, ref } from '../../testing/store-contract/samples.js';
import { memoryStore } from '../memory.js';
import { pack, packFlat, unpack } from './packed-text.js';

const MiB = 1024 * 1024;

describe('F67: the memory store keeps long texts outside of the heap', () => {
  const TEXTS: [string, string][] = [
    ['ASCII', 'a'.repeat(MiB)],
    ['characters of one to four bytes', 'aä€😀'.repeat(100_000)],
    ['a byte order mark', `\ufeff${'a'.repeat(MiB)}`],
  ];
  test.each(TEXTS)('F67: a long text of %s is unpacked as it was packed', (_name, text) => {
    for (const packed of [pack(text), packFlat(text)]) {
      expect(packed).toBeInstanceOf(Uint8Array);
      expect(unpack(packed) === text).toBe(true);
    }
  });

  test('F67: a short text stays a string', () => {
    for (const text of ['', 'a', 'ä'.repeat(64 * 1024)]) {
      for (const packed of [pack(text), packFlat(text)]) expect(packed === text).toBe(true);
    }
  });

  const [first, second] = [message('x'.repeat(MiB)), message('€'.repeat(MiB))];
  const artifact = JSON.stringify({ artifactId: 'a', parts: [{ text: 'y'.repeat(MiB) }] });
  const chunk = JSON.stringify({ artifactUpdate: { text: 'z'.repeat(MiB) } });
  const begun = creation(ref('a'), { history: [first] });
  const extended = appended(ref('a'), 3, 1, { entries: [entry(3, 'artifact', chunk)] });
  const ended = entered(ref('a'), 4, { history: [second], artifacts: [artifact] });

  test('F67: history, artifacts and events of a task are read as they were written, while it runs and after its end', async () => {
    const store = memoryStore({ clock: manualClock() });
    await commitAll(store, begun, extended);
    const running = await store.load(ref('a'));
    expect(running?.snapshot.text.history === first).toBe(true);
    expect(running?.tail.at(-1)?.json === chunk).toBe(true);
    await commitAll(store, ended);
    const { history, artifacts } = (await store.load(ref('a')))?.snapshot.text ?? {};
    expect(history === `${first}\n${second}`).toBe(true);
    expect(artifacts === artifact).toBe(true);
    expect((await store.load(ref('a'), 1))?.snapshot.text.history === second).toBe(true);
    expect((await store.entryAt(ref('a'), 3))?.json === chunk).toBe(true);
    const log = await store.readAfter(ref('a'), 2, 1e9);
    expect(Array.isArray(log) && log[0]?.json === chunk).toBe(true);
  });

  test('F67: a list without artifacts does not unpack them', async () => {
    const store = memoryStore({ clock: manualClock() });
    await commitAll(store, begun, extended, ended);
    const { agent, tenant, owner } = ref('a');
    const page = await store.list({ agent, tenant, owner, limit: 10, count: false, withoutArtifacts: true, historyLength: 0 });
    expect(page.tasks.map(({ snapshot }) => snapshot.text.artifacts)).toEqual(['']);
  });
});
