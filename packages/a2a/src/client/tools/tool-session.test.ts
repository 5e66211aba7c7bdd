import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { toCallArtifact, toolResults, toResultsPart } from '../../protocol/client-tools.js';
import { readHistory } from '../../protocol/client-tools-history.js';
import { A2AClientToolsNotSupportedError } from '../../protocol/errors.js';
import type { AgentCard, Artifact, JsonObject, Message, Task, TaskState } from '../../protocol/types.js';
import type { ClientTool } from './client-tool.js';
import { createToolSession, type ToolCall } from './tool-session.js';

const URI = 'urn:ag2:client-tools:v1';

const cardWith = (...uris: string[]): AgentCard => ({
  name: 'Agent',
  description: '',
  version: '1',
  supportedInterfaces: [],
  capabilities: { extensions: uris.map((uri) => ({ uri })) },
  defaultInputModes: [],
  defaultOutputModes: [],
  skills: [],
});

const CARD = cardWith('urn:other', URI);

const tool = (name: string, execute: ClientTool['execute'] = () => name): ClientTool => ({
  name,
  description: `Does ${name}`,
  parameters: { type: 'object' },
  execute,
});

const call = (id: string, name: string, input = '{}'): ToolCall => ({ id, name, arguments: input });

interface Waiting {
  readonly state?: TaskState;
  readonly artifacts?: readonly Artifact[];
  readonly history?: readonly Message[];
  readonly prompt?: string;
}

function waiting({ state = 'TASK_STATE_INPUT_REQUIRED', artifacts = [], history = [], prompt }: Waiting): Task {
  const message: Message = { messageId: 'q', role: 'ROLE_AGENT', parts: [{ text: prompt ?? '' }] };
  return { id: 't', contextId: 'c', status: { state, ...(prompt !== undefined && { message }) }, artifacts, history };
}

const { signal } = new AbortController();

async function resultsOf(tools: readonly ClientTool[], calls: readonly ToolCall[]) {
  const parts = await createToolSession(tools, CARD).answer(calls, signal);
  expect(parts).toHaveLength(1);
  return toolResults({ parts });
}

describe('before anything is sent', () => {
  test('G32: tools are refused if the card of the agent does not declare the extension', () => {
    const attempt = (): unknown => createToolSession([tool('a')], cardWith('urn:other'));
    expect(attempt).toThrow(A2AClientToolsNotSupportedError);
    expect(attempt).toThrow(`Agent does not support client tools: its card does not declare ${URI}`);
    try {
      attempt();
    } catch (error) {
      expect(error).toMatchObject({ reason: 'EXTENSION_SUPPORT_REQUIRED', uris: [URI] });
    }
    expect(() => createToolSession([tool('a')], { ...CARD, capabilities: {} })).toThrow(A2AClientToolsNotSupportedError);
  });

  test('G32: an empty list of tools requires nothing of the agent', () => {
    expect(createToolSession([], cardWith()).schemaParts([{ text: 'hi' }])).toEqual([]);
  });

  test('G37: two tools with one name, a tool without a name and a tool without a function are refused', () => {
    expect(() => createToolSession([tool('a'), tool('b'), tool('a')], CARD)).toThrow('two tools have the name a');
    expect(() => createToolSession([tool('')], CARD)).toThrow('a tool needs a name');
    const bad = { name: 'a', description: '', parameters: {} } as unknown as ClientTool; // an untyped caller may write this
    expect(() => createToolSession([bad], CARD)).toThrow('the tool a needs a function `execute`');
  });
});

describe('parts of every message', () => {
  test('G33: the extension is named, and every message of the run contains the schemas', () => {
    const session = createToolSession([tool('a'), tool('b')], CARD);
    expect(session.extension).toBe(URI);
    const schemas = {
      mediaType: 'application/vnd.ag2.tool-schemas+json',
      data: { tools: ['a', 'b'].map((name) => ({ name, description: `Does ${name}`, parameters: { type: 'object' } })) },
    };
    expect(session.schemaParts([{ text: 'go' }])).toEqual([schemas]);
    expect(session.schemaParts([{ text: 'the answer to a question' }])[0]).toEqual(schemas);
    expect(session.schemaParts()[0]).toEqual(schemas);
  });

  test('G33: later messages contain the history before them, but not themselves', async () => {
    const session = createToolSession([tool('a')], CARD);
    const first = [{ text: 'go' }];
    expect(readHistory(session.schemaParts(first))).toEqual([]);
    expect(readHistory(session.schemaParts(first))).toEqual([]); // the same message again
    const calls = [call('c-1', 'a')];
    const answer = await session.answer(calls, signal);
    const said = [
      { kind: 'user_input', parts: [{ type: 'text', text: 'go' }] },
      { kind: 'model_response', content: '', tool_calls: calls },
    ];
    expect(readHistory(session.schemaParts(answer))).toEqual(said);
    session.pending(waiting({ prompt: 'sure?' }));
    const results = [{ kind: 'tool_result', parent_id: 'c-1', name: 'a', content: 'a', error: null }];
    expect(readHistory(session.schemaParts([{ text: 'yes' }]))).toEqual([
      ...said,
      { kind: 'tool_results', results },
      { kind: 'model_response', content: 'sure?', tool_calls: [] },
    ]);
  });
});

describe('pending calls', () => {
  const artifacts = [toCallArtifact(call('c-1', 'a')), { artifactId: 'answer', parts: [{ text: 'x' }] }, toCallArtifact(call('c-2', 'b'))];

  test('G34: returns the calls of a task that waits for input', () => {
    const session = createToolSession([tool('a')], CARD);
    expect(session.pending(waiting({ artifacts }))).toEqual([call('c-1', 'a'), call('c-2', 'b')]);
  });

  test.each<TaskState>(['TASK_STATE_WORKING', 'TASK_STATE_SUBMITTED', 'TASK_STATE_AUTH_REQUIRED', 'TASK_STATE_COMPLETED'])(
    'G34: a task that is %s has no pending calls, even with old calls in it',
    (state) => {
      expect(createToolSession([tool('a')], CARD).pending(waiting({ state, artifacts }))).toEqual([]);
    },
  );

  test('G34: calls that this run answered are not run again', async () => {
    const session = createToolSession([tool('a')], CARD);
    await session.answer([call('c-1', 'a')], signal);
    expect(session.pending(waiting({ artifacts })).map(({ id }) => id)).toEqual(['c-2']);
  });

  test('G34: calls that are answered in the history are not run again', () => {
    const parts = [toResultsPart([{ id: 'c-2', name: 'b', content: '', error: null }])];
    const history: Message[] = [{ messageId: 'm', role: 'ROLE_USER', parts }];
    expect(createToolSession([tool('a')], CARD).pending(waiting({ artifacts, history }))).toEqual([call('c-1', 'a')]);
  });

  test('C12: a pending call runs the tools; without one the person is asked, even if a question is present', async () => {
    const session = createToolSession([tool('a')], CARD);
    const calls = session.pending(waiting({ artifacts, prompt: 'running them' }));
    expect(calls).toHaveLength(2);
    await session.answer(calls, signal);
    expect(session.pending(waiting({ artifacts, prompt: 'which city?' }))).toEqual([]);
    expect(session.pending(waiting({ prompt: 'which city?' }))).toEqual([]);
  });
});

describe('running tools', () => {
  test('G37: calls run concurrently, and all results are sent in one message, in the order of the calls', async () => {
    const running: string[] = [];
    let bothRun = (): void => {};
    const both = new Promise<void>((resolve) => {
      bothRun = resolve;
    });
    const meet = async (_input: JsonObject): Promise<string> => {
      running.push('one');
      if (running.length === 2) bothRun();
      await both;
      return 'met';
    };
    const results = await resultsOf([tool('a', meet), tool('b', meet)], [call('c-2', 'b'), call('c-1', 'a')]);
    expect(results).toEqual([
      { id: 'c-2', name: 'b', content: 'met', error: null },
      { id: 'c-1', name: 'a', content: 'met', error: null },
    ]);
  });

  test('G37: a call that throws has its error as result; the other call is not affected', async () => {
    const broken = tool('broken', () => {
      throw new Error('no sky today');
    });
    const results = await resultsOf([tool('a'), broken], [call('c-1', 'broken'), call('c-2', 'a')]);
    expect(results).toEqual([
      { id: 'c-1', name: 'broken', content: '', error: 'no sky today' },
      { id: 'c-2', name: 'a', content: 'a', error: null },
    ]);
  });

  test.each<[string, unknown, string]>([
    ['an error without a message', new TypeError(), 'TypeError'],
    ['a string', 'no', 'no'],
    ['nothing', undefined, 'the tool failed'],
    ['an object', { code: 1 }, '{"code":1}'],
  ])('G37: a tool that throws %s still returns an error', async (_name, thrown, error) => {
    const results = await resultsOf([tool('a', () => Promise.reject(thrown))], [call('c-1', 'a')]);
    expect(results).toEqual([{ id: 'c-1', name: 'a', content: '', error }]);
  });

  test('G37: a call of an unknown tool has an error as result', async () => {
    expect(await resultsOf([tool('a')], [call('c-1', 'b')])).toEqual([{ id: 'c-1', name: 'b', content: '', error: 'unknown tool b' }]);
  });

  test.each(['{', '[1]', '7', 'null', '"x"'])(
    'G37: arguments that are not a JSON object (%s) are an error, and the tool is not called',
    async (input) => {
      let called = 0;
      const results = await resultsOf([tool('a', () => (called += 1))], [call('c-1', 'a', input)]);
      expect(results).toEqual([{ id: 'c-1', name: 'a', content: '', error: 'the arguments are not a JSON object' }]);
      expect(called).toBe(0);
    },
  );

  test('G37: the tool receives its arguments; an empty string becomes an empty object', async () => {
    const echo = tool('a', (input) => input);
    const results = await resultsOf([echo], [call('c-1', 'a', '{"city":"Ulm"}'), call('c-2', 'a', ' ')]);
    expect(results.map(({ content }) => content)).toEqual(['{"city":"Ulm"}', '{}']);
  });

  test.each<[unknown, string | undefined]>([
    ['text', 'text'],
    ['', ''],
    [undefined, ''],
    [null, 'null'],
    [0, '0'],
    [{ a: [1] }, '{"a":[1]}'],
    [1n, undefined],
  ])('G37: the result of a tool is converted to text: %s', async (given, content) => {
    const error = content === undefined ? 'the result of the tool cannot be written as JSON' : null;
    expect(await resultsOf([tool('a', () => given)], [call('c-1', 'a')])).toEqual([
      { id: 'c-1', name: 'a', content: content ?? '', error },
    ]);
  });

  test('G37: a run that is aborted does not wait for tools that ignore the signal', async () => {
    const control = new AbortController();
    let told: AbortSignal | undefined;
    const deaf = tool('a', (_input, options) => {
      told = options.signal;
      return new Promise(() => {});
    });
    const session = createToolSession([deaf], CARD);
    const answer = session.answer([call('c-1', 'a')], control.signal);
    control.abort(new Error('enough'));
    await expect(answer).rejects.toMatchObject({ name: 'A2AError', reason: 'ABORTED' });
    expect(told?.aborted).toBe(true);
    await expect(session.answer([call('c-1', 'a')], control.signal)).rejects.toMatchObject({ reason: 'ABORTED' });
    expect(session.pending(waiting({ artifacts: [toCallArtifact(call('c-1', 'a'))] }))).toHaveLength(1); // not answered
  });

  test('G37: no listener stays on the signal of the run after the tools have finished', async () => {
    const control = new AbortController();
    await createToolSession([tool('a')], CARD).answer([call('c-1', 'a'), call('c-2', 'a')], control.signal);
    expect(getEventListeners(control.signal, 'abort')).toEqual([]);
  });
});
