import { describe, expect, test } from 'vitest';
import {
  CLIENT_TOOLS,
  contextUpdate,
  offersClientTools,
  readContextUpdate,
  readToolCalls,
  readToolSchemas,
  toCallArtifact,
  toolResults,
  toResultsPart,
  toSchemasPart,
} from './client-tools.js';
import { type HistoryEvent, readHistory, toHistoryInput, toHistoryPart } from './client-tools-history.js';
import type { JsonValue, Part } from './types.js';

const data = (mediaType: string, payload: JsonValue): Part => ({ mediaType, data: payload });
const calls = (payload: JsonValue) =>
  readToolCalls({ artifactId: 'a', name: 'n', parts: [data('application/vnd.ag2.tool-call+json', payload)] });
const results = (payload: JsonValue) => toolResults({ parts: [data('application/vnd.ag2.tool-result+json', payload)] });

describe('the wire format', () => {
  test('G35: the card declares the extension with exactly this text', () => {
    expect(CLIENT_TOOLS).toEqual({ uri: 'urn:ag2:client-tools:v1', description: 'AG2 client-side tool execution', required: false });
    expect(offersClientTools({ capabilities: { extensions: [{ uri: 'urn:x' }, CLIENT_TOOLS] } })).toBe(true);
    expect(offersClientTools({ capabilities: {} })).toBe(false);
  });

  test('G35: schemas, calls and results are data parts with exactly these members', () => {
    const tool = { name: 'weather', description: 'Tells it', parameters: { type: 'object' }, execute: () => 'not for the wire' };
    expect(toSchemasPart([tool])).toEqual({
      mediaType: 'application/vnd.ag2.tool-schemas+json',
      data: { tools: [{ name: 'weather', description: 'Tells it', parameters: { type: 'object' } }] },
    });
    expect(toCallArtifact({ id: 'c-1', name: 'weather', arguments: '{"city":"Ulm"}' })).toEqual({
      artifactId: 'c-1',
      name: 'weather',
      parts: [{ mediaType: 'application/vnd.ag2.tool-call+json', data: { id: 'c-1', name: 'weather', arguments: '{"city":"Ulm"}' } }],
    });
    expect(toResultsPart([{ id: 'c-1', name: 'weather', content: 'sun', error: null }])).toEqual({
      mediaType: 'application/vnd.ag2.tool-result+json',
      data: { results: [{ id: 'c-1', name: 'weather', content: 'sun', error: null }] },
    });
  });

  test('G35: written values are read back', () => {
    const tools = [{ name: 'weather', description: 'Tells it', parameters: { type: 'object' } }];
    expect(readToolSchemas([{ text: 'hi' }, toSchemasPart(tools)])).toEqual(tools);
    const call = { id: 'c-1', name: 'weather', arguments: '{}' };
    expect(readToolCalls(toCallArtifact(call))).toEqual([call]);
    const result = { id: 'c-1', name: 'weather', content: '', error: 'no sky' };
    expect(toolResults({ parts: [{ text: 'hi' }, toResultsPart([result])] })).toEqual([result]);
  });
});

describe('data of peers', () => {
  test.each<[string, JsonValue, unknown]>([
    ['no payload', null, []],
    ['a list', [1], []],
    ['an empty payload: the artifact has the names', {}, [{ id: 'a', name: 'n', arguments: '{}' }]],
    ['arguments that are not a text', { id: 'c', name: 'x', arguments: { a: 1 } }, [{ id: 'c', name: 'x', arguments: '{"a":1}' }]],
    ['ids that are not a text', { id: 7, name: 8, arguments: null }, [{ id: 'a', name: 'n', arguments: '{}' }]],
  ])('G34: a call with %s', (_name, payload, read) => {
    expect(calls(payload)).toEqual(read);
  });

  test('G34: an artifact without a name for its call, or of another type, contains no call', () => {
    expect(readToolCalls({ artifactId: 'a', parts: [data('application/vnd.ag2.tool-call+json', { id: 'c' })] })).toEqual([]);
    expect(readToolCalls({ artifactId: 'a', name: 'n', parts: [{ text: 'x' }, { data: { id: 'c', name: 'n' } }] })).toEqual([]);
  });

  test.each<[string, JsonValue, unknown]>([
    ['no list', { results: 'many' }, []],
    ['no id', { results: [{ name: 'x' }, null, 3] }, []],
    ['the id of the history', { results: [{ parent_id: 'c', content: 'y' }] }, [{ id: 'c', name: '', content: 'y', error: null }]],
    ['content that is not a text', { results: [{ id: 'c', content: [1] }] }, [{ id: 'c', name: '', content: '[1]', error: null }]],
    ['an empty error, which counts as none', { results: [{ id: 'c', error: '' }] }, [{ id: 'c', name: '', content: '', error: null }]],
    ['an error that is not a text', { results: [{ id: 'c', error: { no: 1 } }] }, [{ id: 'c', name: '', content: '', error: '{"no":1}' }]],
  ])('G35: results with %s', (_name, payload, read) => {
    expect(results(payload)).toEqual(read);
  });

  test('G35: tools without a name are left out, the first of two with the same name counts, and the media type may have parameters', () => {
    const part = data('Application/vnd.ag2.tool-schemas+json; charset=utf-8', {
      tools: [{ name: 'a', description: 'first' }, { name: 'a' }, { name: '' }, {}, 'x', { name: 'b', parameters: [] }],
    });
    expect(readToolSchemas([part])).toEqual([
      { name: 'a', description: 'first', parameters: {} },
      { name: 'b', description: '', parameters: {} },
    ]);
  });
});

describe('shared variables', () => {
  test('G35: they are in the metadata of a message under their own key', () => {
    const metadata = contextUpdate({ city: 'Ulm', at: new Date(0) });
    expect(metadata).toEqual({ 'ag2.context_update': { city: 'Ulm', at: '1970-01-01T00:00:00.000Z' } });
    expect(readContextUpdate({ metadata })).toEqual({ city: 'Ulm', at: '1970-01-01T00:00:00.000Z' });
  });

  test('G35: a value that JSON cannot represent is refused by name, before anything is sent', () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    for (const value of [() => 1, undefined, 1n, circle]) {
      expect(() => contextUpdate({ ok: 1, bad: value })).toThrow('the variable bad cannot be written as JSON');
    }
  });

  test('G35: a message without them, or with another value in their place, has none', () => {
    expect(readContextUpdate(undefined)).toEqual({});
    expect(readContextUpdate({ metadata: { 'ag2.context_update': [1] } })).toEqual({});
  });
});

describe('the history', () => {
  const call = { id: 'c', name: 'x', arguments: '{}' };
  const result = { kind: 'tool_result', parent_id: 'c', name: 'x', content: 'y', error: null } as const;
  const EVENTS: readonly HistoryEvent[] = [
    {
      kind: 'user_input',
      parts: [
        { type: 'text', text: 'hi' },
        { type: 'binary', media_type: 'image/png', data: 'AAAA', kind: 'image', vendor_metadata: { detail: 'low' } },
        { type: 'url', url: 'https://example.com/a.png', kind: 'image' },
        { type: 'file_id', file_id: 'f-1', filename: null },
        { type: 'data', data: [1] },
      ],
    },
    { kind: 'tool_call', ...call },
    { kind: 'tool_calls', calls: [call] },
    result,
    { kind: 'tool_results', results: [result] },
    { kind: 'agent_message', content: 'hello' },
    { kind: 'model_response', content: '', tool_calls: [call] },
  ];

  test('G35: every kind of event is read back as written', () => {
    const part = toHistoryPart(EVENTS);
    expect(part.mediaType).toBe('application/vnd.ag2.history+json');
    expect(readHistory([{ text: 'now' }, JSON.parse(JSON.stringify(part))])).toEqual(EVENTS);
  });

  test('G35: unknown kinds and invalid events are skipped', () => {
    const events: readonly JsonValue[] = [
      { kind: 'thought' },
      null,
      'x',
      { kind: 'user_input', parts: [{ type: 'smell' }, { type: 'text' }] },
    ];
    const part = data('application/vnd.ag2.history+json', { events });
    expect(readHistory([part])).toEqual([{ kind: 'user_input', parts: [{ type: 'text', text: '' }] }]);
    expect(readHistory([data('application/vnd.ag2.history+json', 'none')])).toEqual([]);
  });

  test('G35: each kind of part becomes the matching kind of input', () => {
    const parts: readonly Part[] = [
      { text: '' },
      { raw: 'AAAA', mediaType: 'image/png', metadata: { 'ag2.binary_kind': 'image' } },
      { url: 'https://example.com/' },
      { metadata: { 'ag2.file_id': 'f-1' }, filename: 'a.txt' },
      { data: null },
    ];
    expect(parts.map(toHistoryInput)).toEqual([
      { type: 'text', text: '' },
      { type: 'binary', media_type: 'image/png', data: 'AAAA', kind: 'image', vendor_metadata: {} },
      { type: 'url', url: 'https://example.com/', kind: 'binary' },
      { type: 'file_id', file_id: 'f-1', filename: 'a.txt' },
      { type: 'data', data: null },
    ]);
  });
});
