import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type SseEvent, SseParser } from './sse-parser.js';

const LIMIT = 1024 * 1024;
const encoder = new TextEncoder();

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

function heapMegabytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1e6;
}

interface Parsed {
  readonly events: readonly SseEvent[];
  readonly truncated: boolean;
  readonly retryMs: number | undefined;
}

function parse(chunks: Iterable<Uint8Array>, limit = LIMIT): Parsed {
  const parser = new SseParser(limit);
  const events: SseEvent[] = [];
  for (const chunk of chunks) {
    parser.push(chunk);
    for (let event = parser.next(); event !== undefined; event = parser.next()) events.push(event);
  }
  return { events, truncated: parser.isTruncated(), retryMs: parser.retryMs };
}

const parseText = (text: string, limit?: number): Parsed => parse([encoder.encode(text)], limit);

function dataOf(text: string): readonly string[] {
  return parseText(text).events.map(({ data }) => data);
}

function* cut(bytes: Uint8Array, size: number): Iterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe('the rules of the standard', () => {
  test.each([
    ['line feeds', 'data: a\n\ndata: b\n\n', ['a', 'b']],
    ['carriage returns', 'data: a\r\rdata: b\r\r', ['a', 'b']],
    ['both', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
    ['a mixture', 'data: a\r\n\rdata: b\n\r\n', ['a', 'b']],
    ['several lines', 'data: a\ndata: b\ndata:\ndata: d\n\n', ['a\nb\n\nd']],
    ['no space after the colon', 'data:a\n\n', ['a']],
    ['two spaces after the colon', 'data:  a\n\n', [' a']],
    ['no colon at all', 'data\n\n', ['']],
    ['colons in the value', 'data: a: b\n\n', ['a: b']],
    ['comments', ': hello\ndata: a\n: \n\n', ['a']],
    ['heartbeats only', ': \n\n: \n\n', []],
    ['unknown fields', 'datum: x\n data: y\ndata: a\n\n', ['a']],
    ['a byte order mark', '\ufeffdata: a\n\n', ['a']],
    ['a byte order mark inside', 'data: \ufeffa\n\n', ['\ufeffa']],
    ['blocks without data', 'event: x\nid: 3\n\ndata: a\n\n', ['a']],
    ['empty lines', '\n\n\n\ndata: a\n\n\n\n', ['a']],
  ])('%s', (_name, text, data) => {
    expect(dataOf(text)).toEqual(data);
  });

  test('names and ids belong only to their own event', () => {
    const { events } = parseText('event: error\nid: 7\ndata: a\n\ndata: b\n\n');
    expect(events).toEqual([
      { data: 'a', event: 'error', id: '7' },
      { data: 'b', event: '', id: undefined },
    ]);
  });

  test('an id that contains NUL is ignored', () => {
    expect(parseText('id: 1\nid: 2\0\ndata: a\n\n').events).toEqual([{ data: 'a', event: '', id: '1' }]);
  });

  test('retry is a number or ignored', () => {
    expect(parseText('retry: 500\n\n').retryMs).toBe(500);
    expect(parseText('retry: soon\nretry: -1\nretry: 1.5\n\n').retryMs).toBeUndefined();
  });
});

describe('splits', () => {
  const piece = fc.constantFrom(
    'data: a',
    'data:',
    'data: ü€😀',
    'event: x',
    'id: 1',
    ': c',
    'retry: 5',
    'x',
    'data',
    '\n',
    '\r',
    '\r\n',
    '\n\n',
    '\ufeff',
  );
  const stream = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

  test('U11: every split of a stream gives the same events', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 20 }), (text, sizes) => {
        const bytes = encoder.encode(text);
        const chunks: Uint8Array[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1;
          chunks.push(bytes.subarray(at, at + size), new Uint8Array());
          at += size;
        }
        expect(parse(chunks)).toEqual(naive(text));
      }),
      { numRuns: 2000 },
    );
  });

  test('U11: a carriage return and its line feed in two chunks are one line end', () => {
    const bytes = encoder.encode('data: a\r\ndata: b\r\n\r\ndata: c\r\n\r\n');
    expect(parse(cut(bytes, 1)).events.map(({ data }) => data)).toEqual(['a\nb', 'c']);
  });

  test('a line that ends with a carriage return does not wait for the next byte', () => {
    const parser = new SseParser(LIMIT);
    parser.push(encoder.encode('data: a\r\r'));
    expect(parser.next()?.data).toBe('a');
  });
});

describe('C16: the end of the stream', () => {
  test.each([
    ['data: a\n\n', false],
    ['', false],
    ['data: a\n\n: heart', false],
    ['retry: 500\n\n', false],
    ['data: a\n\ndata: b\n', true],
    ['data: a\n\ndata: b', true],
    ['data: a\n\nda', true],
    ['data: a\n\nid: 5\n', true],
    ['data: a\n\nevent: x\n', true],
  ])('%j: ended inside an event: %s', (text, truncated) => {
    const parsed = parseText(text);
    expect(parsed.truncated).toBe(truncated);
    expect(parsed.events).toHaveLength(text.startsWith('data') ? 1 : 0);
  });

  test('C16: an incomplete character is an incomplete event', () => {
    expect(parse([encoder.encode('data: a\n\n'), new Uint8Array([0xe2, 0x82])]).truncated).toBe(true);
  });
});

describe('size', () => {
  test('an event at the size limit is accepted, one character more is refused', () => {
    const fits = `data: ${'x'.repeat(94)}`;
    expect(fits).toHaveLength(100);
    expect(parseText(`${fits}\n\n${fits}\n\n`, 100).events).toHaveLength(2);
    expect(() => parseText(`${fits}x\n\n`, 100)).toThrow('An event of the stream is larger than 100 bytes');
  });

  test.each([
    ['one line that never ends', 'data: ', 'x'],
    ['lines without an empty one', 'data: 1\n', 'data: 1\n'],
    ['a comment that never ends', ':', 'x'],
    ['a name that never ends', 'event:', 'x'],
  ])('%s is refused at the limit', (_name, start, more) => {
    const parser = new SseParser(1000);
    const fill = (): void => {
      for (let count = 0; count < 2000; count++) {
        parser.push(encoder.encode(count === 0 ? start : more));
        parser.next();
      }
    };
    expect(fill).toThrow(expect.objectContaining({ name: 'A2ATransportError', kind: 'serialization' }));
  });

  test('parsing an event byte by byte takes time proportional to its size', { timeout: 5_000 }, () => {
    const size = 300_000;
    const { events } = parse(cut(encoder.encode(`data: ${'x'.repeat(size)}\n\n`), 1));
    expect(events[0]?.data).toHaveLength(size);
  });

  test('parsing many small events in one chunk takes time proportional to their number', { timeout: 5_000 }, () => {
    const count = 200_000;
    expect(parse([encoder.encode('data: 1\n\n'.repeat(count))]).events).toHaveLength(count);
    expect(parse([encoder.encode('data: 1\r\r'.repeat(count))]).events).toHaveLength(count);
  });

  test('F73: tiny lines and tiny chunks of one event need no more memory than its text', () => {
    const count = 300_000;
    for (const piece of ['data:a\n', 'a']) {
      const parser = new SseParser(16 * 1024 * 1024);
      parser.push(encoder.encode('data: '));
      const bytes = encoder.encode(piece.repeat(piece.length === 1 ? 1 : 1_000));
      const before = heapMegabytes();
      for (let sent = 0; sent < count; sent += bytes.length / piece.length) {
        parser.push(bytes);
        parser.next();
      }
      // A tree of strings would need 20 MB or more.
      expect(heapMegabytes() - before).toBeLessThan(8);
      parser.push(encoder.encode('\n\n'));
      expect(parser.next()?.data).toBe(piece === 'a' ? 'a'.repeat(count) : `data:a${'\na'.repeat(count - 1)}`);
    }
  });

  test('a huge event in many chunks', { timeout: 5_000 }, () => {
    const size = 8 * 1024 * 1024;
    const { events } = parse(cut(encoder.encode(`data: ${'x'.repeat(size)}\n\n`), 16 * 1024), 2 * size);
    expect(events[0]?.data).toHaveLength(size);
  });
});

/** A direct implementation of the standard on the whole text. */
function naive(text: string): Parsed {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
  const rest = lines.pop() ?? '';
  const events: SseEvent[] = [];
  let retryMs: number | undefined;
  let block: { data: string[]; event: string; id: string | undefined } = { data: [], event: '', id: undefined };
  for (const line of lines) {
    if (line === '') {
      if (block.data.length > 0) events.push({ ...block, data: block.data.join('\n') });
      block = { data: [], event: '', id: undefined };
      continue;
    }
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === 'data') block.data.push(value);
    if (name === 'event') block.event = value;
    if (name === 'id') block.id = value;
    if (name === 'retry' && /^\d+$/.test(value)) retryMs = Number(value);
  }
  const open = block.data.length > 0 || block.event !== '' || block.id !== undefined;
  return { events, truncated: open || (rest !== '' && !rest.startsWith(':')), retryMs };
}
