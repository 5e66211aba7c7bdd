import * as peer from '@assistant-ui/react-a2a';
import { describe, expect, expectTypeOf, test } from 'vitest';
import * as conversions from './conversions.js';
import type { A2APart, A2ATaskState } from './types.js';

const { a2aMessageToContent, a2aPartToContent, a2aPartsToContent, contentPartsToA2AParts, userContentToA2AParts } = conversions;
const { isInterruptedTaskState, isTerminalTaskState, taskStateToMessageStatus } = conversions;

const RUNNING = { type: 'running' };
const FAILED = { type: 'incomplete', reason: 'error' };
const ASKING = { type: 'requires-action', reason: 'interrupt' };

test('the functions accept and return the same types as those of react-a2a', () => {
  expectTypeOf<typeof conversions>().toExtend<
    Pick<
      typeof peer,
      | 'a2aMessageToContent'
      | 'a2aPartToContent'
      | 'a2aPartsToContent'
      | 'contentPartsToA2AParts'
      | 'isInterruptedTaskState'
      | 'isTerminalTaskState'
      | 'taskStateToMessageStatus'
    >
  >();
});

describe('U18: the message status for a task state', () => {
  test.each<[A2ATaskState, object, 'open' | 'waits' | 'over']>([
    ['unspecified', RUNNING, 'open'],
    ['submitted', RUNNING, 'open'],
    ['working', RUNNING, 'open'],
    ['completed', { type: 'complete', reason: 'stop' }, 'over'],
    ['failed', FAILED, 'over'],
    ['rejected', FAILED, 'over'],
    ['canceled', { type: 'incomplete', reason: 'cancelled' }, 'over'],
    ['input_required', ASKING, 'waits'],
    ['auth_required', ASKING, 'waits'],
  ])('%s', (state, status, stands) => {
    expect(taskStateToMessageStatus(state)).toEqual(status);
    expect([isTerminalTaskState(state), isInterruptedTaskState(state)]).toEqual([stands === 'over', stands === 'waits']);
    expect(peer.taskStateToMessageStatus(state)).toEqual(status);
  });

  test.each(['dreaming', 'toString', 'TASK_STATE_COMPLETED'])('the unknown state %s counts as running', (state) => {
    expect(taskStateToMessageStatus(state as A2ATaskState)).toEqual(RUNNING);
  });
});

const IN: [name: string, part: A2APart, content: object][] = [
  ['text', { text: 'hi' }, { type: 'text', text: 'hi' }],
  ['an empty text', { text: '' }, { type: 'text', text: '' }],
  ['nothing', {}, { type: 'text', text: '' }],
  ['an image with a URL', { url: 'http://x/a.png', mediaType: 'image/png' }, { type: 'image', image: 'http://x/a.png' }],
  ['an image with bytes', { raw: 'AAA=', mediaType: 'image/jpeg' }, { type: 'image', image: 'data:image/jpeg;base64,AAA=' }],
  [
    'an image with a filename',
    { raw: 'AAA=', mediaType: 'image/gif', filename: 'a.gif' },
    { type: 'image', image: 'data:image/gif;base64,AAA=', filename: 'a.gif' },
  ],
  [
    'a file with a URL',
    { url: 'http://x/f.pdf', mediaType: 'application/pdf', filename: 'f.pdf' },
    { type: 'file', data: 'http://x/f.pdf', mimeType: 'application/pdf', sourceType: 'url', filename: 'f.pdf' },
  ],
  ['a file with bytes', { raw: 'AAA=', mediaType: 'audio/mp3' }, { type: 'file', data: 'AAA=', mimeType: 'audio/mp3' }],
  ['a file without a media type', { raw: 'AAA=' }, { type: 'file', data: 'AAA=', mimeType: 'application/octet-stream' }],
  ['a URL is preferred to bytes', { url: 'http://x/a', raw: 'AA', mediaType: 'image/png' }, { type: 'image', image: 'http://x/a' }],
  ['data', { data: { a: [1] } }, { type: 'text', text: '{\n  "a": [\n    1\n  ]\n}' }],
  ['data that is null', { data: null }, { type: 'text', text: 'null' }],
  ['data that is false', { data: false }, { type: 'text', text: 'false' }],
];

describe('U20: the content for a part', () => {
  test.each(IN)('%s', (_name, part, content) => {
    expect(a2aPartToContent(part)).toEqual(content);
    expect(peer.a2aPartToContent(part)).toEqual(content);
  });

  test('each part of a message becomes one content part', () => {
    const parts = IN.map(([, part]) => part);
    expect(a2aPartsToContent(parts)).toEqual(peer.a2aPartsToContent(parts));
    expect(a2aMessageToContent({ parts })).toEqual(IN.map(([, , content]) => content));
  });

  test('invalid parts do not throw', () => {
    const circle: Record<string, unknown> = {};
    circle.circle = circle;
    const odd = [null, 'text', { text: 5 }, { url: {} }, { raw: null, data: 1n }, { data: circle }, { data: () => 1 }];
    const content = odd.map((part) => a2aPartToContent(part as A2APart));
    expect(content).toEqual(odd.map(() => ({ type: 'text', text: '' })));
  });

  test.each(['javascript:alert(1)', ' \u0001JavaScript:alert(1)', 'java\nscript:alert(1)', 'vbscript:x'])(
    'a script URL is shown as text: %j',
    (url) => {
      for (const mediaType of ['image/png', 'text/html', undefined]) {
        expect(a2aPartToContent({ url, mediaType })).toEqual({ type: 'text', text: url });
      }
    },
  );

  test('a URL that only contains a script scheme in its path is kept', () => {
    expect(a2aPartToContent({ url: 'https://x/javascript:alert(1)' })).toMatchObject({ type: 'file', sourceType: 'url' });
  });
});

type Content = Parameters<typeof contentPartsToA2AParts>[0][number];

const PNG = 'data:image/png;base64,AAA=';
const OUT: [name: string, content: Content, part: A2APart | undefined][] = [
  ['text', { type: 'text', text: 'hi' }, { text: 'hi' }],
  ['a missing text', { type: 'text' }, { text: '' }],
  ['an image in a data URL', { type: 'image', image: PNG, filename: 'a.png' }, { raw: 'AAA=', mediaType: 'image/png', filename: 'a.png' }],
  ['a data URL with parameters', { type: 'image', image: 'DATA:image/png;x=y;base64,AAA=' }, { raw: 'AAA=', mediaType: 'image/png' }],
  ['an image with a URL', { type: 'image', image: 'http://x/a.png' }, { url: 'http://x/a.png' }],
  ['an empty image', { type: 'image', image: '' }, undefined],
  ['a data URL without base64', { type: 'image', image: 'data:image/png,hello' }, { url: 'data:image/png,hello' }],
  ['a data URL without a media type', { type: 'image', image: 'data:;base64,AA==' }, { url: 'data:;base64,AA==' }],
  ['a file', { type: 'file', data: 'AAA=', mimeType: 'a/b', filename: 'f' }, { raw: 'AAA=', mediaType: 'a/b', filename: 'f' }],
  ['a file in a data URL', { type: 'file', data: PNG, mimeType: 'a/b' }, { raw: 'AAA=', mediaType: 'image/png' }],
  ['a file with a URL', { type: 'file', data: 'HTTPS://x/f', mimeType: 'a/b' }, { url: 'HTTPS://x/f', mediaType: 'a/b' }],
  ['a file whose source type is url', { type: 'file', data: 'x/f', mimeType: 'a/b', sourceType: 'url' }, { url: 'x/f', mediaType: 'a/b' }],
  ['a file without data', { type: 'file', data: {}, mimeType: 'a/b' }, undefined],
  ['sound', { type: 'audio', audio: { data: 'AAA=', format: 'wav' } }, { raw: 'AAA=', mediaType: 'audio/wav' }],
  [
    'audio in a data URL',
    { type: 'audio', audio: { data: 'data:audio/mp3;base64,AA==', format: 'mp3' } },
    { raw: 'AA==', mediaType: 'audio/mp3' },
  ],
  ['data', { type: 'data', data: { a: 1 } }, { data: { a: 1 } }],
  ['data that is null', { type: 'data', data: null }, { data: null }],
  ['missing data', { type: 'data' }, undefined],
  ['an unknown content type', { type: 'reasoning', text: 'hm' }, undefined],
];

describe('U21: the parts for content', () => {
  test.each(OUT)('%s', (_name, content, part) => {
    const parts = part === undefined ? [] : [part];
    expect(contentPartsToA2AParts([content])).toEqual(parts);
    expect(peer.contentPartsToA2AParts([content])).toEqual(parts);
    expect(contentPartsToA2AParts([content], 'x/y')).toEqual(peer.contentPartsToA2AParts([content], 'x/y'));
  });

  test('a URL is never sent as bytes, and invalid base64 is not sent as bytes either', () => {
    const sent = contentPartsToA2AParts([
      { type: 'file', data: 'ftp://x/f', mimeType: 'a/b' },
      { type: 'file', data: 'blob:http://x/f', mimeType: 'a/b' },
      { type: 'image', image: 'data:image/png;base64,@@@' },
    ]);
    expect(sent.map(({ url, raw }) => [url, raw])).toEqual([
      ['ftp://x/f', undefined],
      ['blob:http://x/f', undefined],
      ['data:image/png;base64,@@@', undefined],
    ]);
  });

  test('attachments follow the text and give their type to content without one', () => {
    const attachments = [{ contentType: 'image/webp', content: [{ type: 'image', image: 'http://x/a' }] }, { contentType: 'a/b' }];
    expect(userContentToA2AParts({ content: [{ type: 'text', text: 'Look' }], attachments })).toEqual([
      { text: 'Look' },
      { url: 'http://x/a', mediaType: 'image/webp' },
    ]);
  });

  test('a part that is converted to content and back is unchanged', () => {
    const kept = IN.map(([, part]) => part).filter(({ text, raw, url, mediaType }) => mediaType && !(raw && url) && text === undefined);
    const typed = kept.map((part) => contentPartsToA2AParts([a2aPartToContent(part) as Content], part.mediaType));
    expect(typed.flat()).toEqual(kept);
  });

  test('a data URL of 20 MB is converted with a single scan', () => {
    const raw = 'A'.repeat(20 * 1024 * 1024);
    const [part] = contentPartsToA2AParts([{ type: 'image', image: `data:image/png;base64,${raw}` }]);
    expect(part?.raw?.length).toBe(raw.length);
    const [long] = contentPartsToA2AParts([{ type: 'image', image: `data:${raw}` }]);
    expect(long?.url?.length).toBe(raw.length + 'data:'.length);
  });
});
