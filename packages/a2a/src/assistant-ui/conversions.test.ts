import * as peer from '@assistant-ui/react-a2a';
import { describe, expect, expectTypeOf, test } from 'vitest';
import * as conversions from './conversions.js';
import type { A2APart, A2ATaskState } from './types.js';

const { a2aMessageToContent, a2aPartToContent, a2aPartsToContent, contentPartsToA2AParts, userContentToA2AParts } = conversions;
const { isInterruptedTaskState, isTerminalTaskState, taskStateToMessageStatus } = conversions;

const RUNNING = { type: 'running' };
const FAILED = { type: 'incomplete', reason: 'error' };
const ASKING = { type: 'requires-action', reason: 'interrupt' };

test('the functions take what those of the package take, and give the same types', () => {
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

describe('U18: what a message is, by the state of its task', () => {
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

  test.each(['dreaming', 'toString', 'TASK_STATE_COMPLETED'])('%s, which nobody knows, is running', (state) => {
    expect(taskStateToMessageStatus(state as A2ATaskState)).toEqual(RUNNING);
  });
});

const IN: [name: string, part: A2APart, content: object][] = [
  ['text', { text: 'hi' }, { type: 'text', text: 'hi' }],
  ['an empty text', { text: '' }, { type: 'text', text: '' }],
  ['nothing', {}, { type: 'text', text: '' }],
  ['an image by address', { url: 'http://x/a.png', mediaType: 'image/png' }, { type: 'image', image: 'http://x/a.png' }],
  ['an image by its bytes', { raw: 'AAA=', mediaType: 'image/jpeg' }, { type: 'image', image: 'data:image/jpeg;base64,AAA=' }],
  [
    'the name of an image',
    { raw: 'AAA=', mediaType: 'image/gif', filename: 'a.gif' },
    { type: 'image', image: 'data:image/gif;base64,AAA=', filename: 'a.gif' },
  ],
  [
    'a file by address',
    { url: 'http://x/f.pdf', mediaType: 'application/pdf', filename: 'f.pdf' },
    { type: 'file', data: 'http://x/f.pdf', mimeType: 'application/pdf', sourceType: 'url', filename: 'f.pdf' },
  ],
  ['a file by its bytes', { raw: 'AAA=', mediaType: 'audio/mp3' }, { type: 'file', data: 'AAA=', mimeType: 'audio/mp3' }],
  ['a file that does not say what it is', { raw: 'AAA=' }, { type: 'file', data: 'AAA=', mimeType: 'application/octet-stream' }],
  ['an address before bytes', { url: 'http://x/a', raw: 'AA', mediaType: 'image/png' }, { type: 'image', image: 'http://x/a' }],
  ['data', { data: { a: [1] } }, { type: 'text', text: '{\n  "a": [\n    1\n  ]\n}' }],
  ['data that is null', { data: null }, { type: 'text', text: 'null' }],
  ['data that is false', { data: false }, { type: 'text', text: 'false' }],
];

describe('U20: what is shown of a part', () => {
  test.each(IN)('%s', (_name, part, content) => {
    expect(a2aPartToContent(part)).toEqual(content);
    expect(peer.a2aPartToContent(part)).toEqual(content);
  });

  test('a message and its parts give one piece of content each', () => {
    const parts = IN.map(([, part]) => part);
    expect(a2aPartsToContent(parts)).toEqual(peer.a2aPartsToContent(parts));
    expect(a2aMessageToContent({ parts })).toEqual(IN.map(([, , content]) => content));
  });

  test('what an agent should not send does not throw', () => {
    const circle: Record<string, unknown> = {};
    circle.circle = circle;
    const odd = [null, 'text', { text: 5 }, { url: {} }, { raw: null, data: 1n }, { data: circle }, { data: () => 1 }];
    const content = odd.map((part) => a2aPartToContent(part as A2APart));
    expect(content).toEqual(odd.map(() => ({ type: 'text', text: '' })));
  });

  test.each(['javascript:alert(1)', ' \u0001JavaScript:alert(1)', 'java\nscript:alert(1)', 'vbscript:x'])(
    'an address that would run is shown as text: %j',
    (url) => {
      for (const mediaType of ['image/png', 'text/html', undefined]) {
        expect(a2aPartToContent({ url, mediaType })).toEqual({ type: 'text', text: url });
      }
    },
  );

  test('an address that only looks like one that would run is left alone', () => {
    expect(a2aPartToContent({ url: 'https://x/javascript:alert(1)' })).toMatchObject({ type: 'file', sourceType: 'url' });
  });
});

type Content = Parameters<typeof contentPartsToA2AParts>[0][number];

const PNG = 'data:image/png;base64,AAA=';
const OUT: [name: string, content: Content, part: A2APart | undefined][] = [
  ['text', { type: 'text', text: 'hi' }, { text: 'hi' }],
  ['a text that is not there', { type: 'text' }, { text: '' }],
  ['an image in a data URL', { type: 'image', image: PNG, filename: 'a.png' }, { raw: 'AAA=', mediaType: 'image/png', filename: 'a.png' }],
  ['parameters of a data URL', { type: 'image', image: 'DATA:image/png;x=y;base64,AAA=' }, { raw: 'AAA=', mediaType: 'image/png' }],
  ['an image by address', { type: 'image', image: 'http://x/a.png' }, { url: 'http://x/a.png' }],
  ['an image that is not there', { type: 'image', image: '' }, undefined],
  ['a data URL without base64', { type: 'image', image: 'data:image/png,hello' }, { url: 'data:image/png,hello' }],
  ['a data URL without a type', { type: 'image', image: 'data:;base64,AA==' }, { url: 'data:;base64,AA==' }],
  ['a file', { type: 'file', data: 'AAA=', mimeType: 'a/b', filename: 'f' }, { raw: 'AAA=', mediaType: 'a/b', filename: 'f' }],
  ['a file in a data URL', { type: 'file', data: PNG, mimeType: 'a/b' }, { raw: 'AAA=', mediaType: 'image/png' }],
  ['a file by address', { type: 'file', data: 'HTTPS://x/f', mimeType: 'a/b' }, { url: 'HTTPS://x/f', mediaType: 'a/b' }],
  ['what is said to be an address', { type: 'file', data: 'x/f', mimeType: 'a/b', sourceType: 'url' }, { url: 'x/f', mediaType: 'a/b' }],
  ['a file that is not there', { type: 'file', data: {}, mimeType: 'a/b' }, undefined],
  ['sound', { type: 'audio', audio: { data: 'AAA=', format: 'wav' } }, { raw: 'AAA=', mediaType: 'audio/wav' }],
  [
    'sound in a data URL',
    { type: 'audio', audio: { data: 'data:audio/mp3;base64,AA==', format: 'mp3' } },
    { raw: 'AA==', mediaType: 'audio/mp3' },
  ],
  ['data', { type: 'data', data: { a: 1 } }, { data: { a: 1 } }],
  ['data that is null', { type: 'data', data: null }, { data: null }],
  ['data that is not there', { type: 'data' }, undefined],
  ['what nobody knows', { type: 'reasoning', text: 'hm' }, undefined],
];

describe('U21: what is sent of content', () => {
  test.each(OUT)('%s', (_name, content, part) => {
    const parts = part === undefined ? [] : [part];
    expect(contentPartsToA2AParts([content])).toEqual(parts);
    expect(peer.contentPartsToA2AParts([content])).toEqual(parts);
    expect(contentPartsToA2AParts([content], 'x/y')).toEqual(peer.contentPartsToA2AParts([content], 'x/y'));
  });

  test('an address is never sent as bytes, nor bytes that are none', () => {
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

  test('attachments go behind what was said, with their type for content that does not say it', () => {
    const attachments = [{ contentType: 'image/webp', content: [{ type: 'image', image: 'http://x/a' }] }, { contentType: 'a/b' }];
    expect(userContentToA2AParts({ content: [{ type: 'text', text: 'Look' }], attachments })).toEqual([
      { text: 'Look' },
      { url: 'http://x/a', mediaType: 'image/webp' },
    ]);
  });

  test('what comes in goes out as it was', () => {
    const kept = IN.map(([, part]) => part).filter(({ text, raw, url, mediaType }) => mediaType && !(raw && url) && text === undefined);
    const typed = kept.map((part) => contentPartsToA2AParts([a2aPartToContent(part) as Content], part.mediaType));
    expect(typed.flat()).toEqual(kept);
  });

  test('20 MB in a data URL cost no more than a look at them', () => {
    const raw = 'A'.repeat(20 * 1024 * 1024);
    const [part] = contentPartsToA2AParts([{ type: 'image', image: `data:image/png;base64,${raw}` }]);
    expect(part?.raw?.length).toBe(raw.length);
    const [long] = contentPartsToA2AParts([{ type: 'image', image: `data:${raw}` }]);
    expect(long?.url?.length).toBe(raw.length + 'data:'.length);
  });
});
