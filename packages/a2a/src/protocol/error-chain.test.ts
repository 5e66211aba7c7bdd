import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boundChain, type ErrorLink, nestChain, readChain } from './error-chain.js';
import { A2AError, A2ATransportError, wrapDownstreamError } from './errors.js';

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

const link = (more: Partial<ErrorLink> = {}): ErrorLink => ({
  currentAgent: 'A',
  downstreamAgent: 'B',
  downstreamError: { code: -32603, reason: 'INTERNAL_ERROR', message: 'no' },
  retryable: false,
  ...more,
});

const hop = (currentAgent: string, downstreamAgent: string) => ({ currentAgent, downstreamAgent });

describe('B18: an agent that passes on a failure', () => {
  test('B18: three hops are listed outermost first, each with the error that it received', () => {
    const atC = new A2AError('RATE_LIMITED', 'slow down', { retryAfterMs: 1500, peer: 'C' });
    const atB = wrapDownstreamError(atC, hop('B', 'C'));
    const atA = wrapDownstreamError(atB, hop('A', 'B'));
    expect(atA).toMatchObject({
      reason: 'INTERNAL_ERROR',
      code: -32603,
      message: "Downstream agent 'B' failed",
      retryable: true,
      retryAfterMs: 1500,
      cause: atB,
      peer: undefined,
    });
    expect(atA.chain).toEqual([
      {
        ...hop('A', 'B'),
        downstreamError: { code: -32603, reason: 'INTERNAL_ERROR', message: "Downstream agent 'C' failed" },
        retryable: true,
        retryAfter: 1.5,
      },
      {
        ...hop('B', 'C'),
        downstreamError: { code: -31004, reason: 'RATE_LIMITED', message: 'slow down' },
        retryable: true,
        retryAfter: 1.5,
      },
    ]);
  });

  test.each([
    ['a peer that sends retryable true', new A2AError('INTERNAL_ERROR', 'no', { retryable: true }), true],
    ['a peer that sends retryable false', new A2AError('RATE_LIMITED', 'no', { retryable: false }), false],
    ['a peer that does not send retryable', new A2AError('INTERNAL_ERROR', 'no'), false],
    ['a crash', new Error('no'), false],
    ['nothing', undefined, false],
  ])('B18: retryable is the value of the downstream agent: %s', (_, error, retryable) => {
    const wrapped = wrapDownstreamError(error, hop('A', 'B'));
    expect(wrapped.retryable).toBe(retryable);
    expect(wrapped.chain[0]?.retryable).toBe(retryable);
  });

  const SECRET = 'http://root:hunter2@db/?key=hunter2';
  test.each([
    [
      'our own timeout',
      new A2ATransportError('timeout', SECRET, { sent: true, phase: 'idle' }),
      'TASK_TIMEOUT',
      'The agent did not answer in time',
    ],
    [
      'a broken connection',
      new A2ATransportError('network', SECRET, { sent: false }),
      'AGENT_UNAVAILABLE',
      'The agent could not be reached',
    ],
    [
      'garbage',
      new A2ATransportError('serialization', SECRET, { sent: true }),
      'INVALID_AGENT_RESPONSE',
      'The answer of the agent could not be read',
    ],
    ["the platform's timeout", new DOMException(SECRET, 'TimeoutError'), 'TASK_TIMEOUT', 'The agent did not answer in time'],
    ["the platform's abort", new DOMException(SECRET, 'AbortError'), 'ABORTED', 'The call was aborted'],
    [
      'a refused connection',
      Object.assign(new Error(SECRET), { code: 'ECONNREFUSED' }),
      'AGENT_UNAVAILABLE',
      'The agent could not be reached',
    ],
    [
      'a fetch that failed',
      new TypeError(SECRET, { cause: { code: 'UND_ERR_CONNECT_TIMEOUT' } }),
      'TASK_TIMEOUT',
      'The agent did not answer in time',
    ],
    ['a crash', new Error(SECRET), 'INTERNAL_ERROR', 'The call failed'],
    ['a text', SECRET, 'INTERNAL_ERROR', 'The call failed'],
    ['a trap', new Proxy({}, { get: () => expect.fail('trap') }), 'INTERNAL_ERROR', 'The call failed'],
  ])('B18: %s is described with a safe text', (_, thrown, reason, message) => {
    const error = wrapDownstreamError(thrown, hop('A', 'B'));
    expect(error.chain).toMatchObject([{ downstreamError: { reason, message } }]);
    expect(JSON.stringify([error.message, error.details, error.chain])).not.toContain('hunter2');
    expect(error.cause, 'for the log').toBe(thrown);
  });

  test('B18: the format of the post is read', () => {
    const downstreamError = { code: -32006, message: 'Task timed out', data: { retryable: true, retryAfter: 10 } };
    expect(readChain({ ...hop('coordinator', 'http://code-agent:8002'), downstreamError, retryable: true })).toEqual([
      {
        ...hop('coordinator', 'http://code-agent:8002'),
        downstreamError: { code: -32006, reason: 'UNKNOWN', message: 'Task timed out' },
        retryable: true,
        retryAfter: 10,
      },
    ]);
  });

  test('B18: peers that pass on a whole error with its details are read too', () => {
    const inner = nestChain([link({ currentAgent: 'B', downstreamAgent: 'C' })]);
    const data = [{ '@type': 'x' }, { '@type': 'google.protobuf.Struct', value: inner }];
    const outer = { ...hop('A', 'B'), downstreamError: { code: 1, message: 'no', data } };
    expect(readChain(outer).map(({ currentAgent }) => currentAgent)).toEqual(['A', 'B']);
  });
});

describe('D28: the wire format of the chain', () => {
  test('D28: it is one Struct after ErrorInfo, before all other details', () => {
    const error = wrapDownstreamError(new A2AError('RATE_LIMITED', 'no', { retryAfterMs: 2000 }), hop('A', 'B'));
    expect(error.details.map((detail) => detail['@type'])).toEqual([
      'type.googleapis.com/google.rpc.ErrorInfo',
      'type.googleapis.com/google.protobuf.Struct',
      'type.googleapis.com/google.rpc.RetryInfo',
    ]);
    expect(error.details[1]).toMatchObject({
      value: { ...hop('A', 'B'), downstreamError: { code: -31004, reason: 'RATE_LIMITED', message: 'no' }, retryable: true, retryAfter: 2 },
    });
    expect(new A2AError('RATE_LIMITED', 'no').details, 'without a chain there is none').toHaveLength(1);
  });

  const text = fc.string({ maxLength: 60, unit: 'binary' });
  const links: fc.Arbitrary<ErrorLink[]> = fc.array(
    fc
      .record(
        {
          currentAgent: text,
          downstreamAgent: text,
          downstreamError: fc.record({ code: fc.integer(), reason: text, message: text }),
          retryable: fc.boolean(),
          retryAfter: fc.nat(),
        },
        { requiredKeys: ['currentAgent', 'downstreamAgent', 'downstreamError', 'retryable'] },
      )
      .map((one) => boundChain([one])[0] ?? link()),
    { maxLength: 8 },
  );

  test('D28: a sent chain is rebuilt exactly, nested and as a list', () => {
    fc.assert(
      fc.property(links, (sent) => {
        expect(readChain(JSON.parse(JSON.stringify(nestChain(sent) ?? null)))).toEqual(sent);
        expect(readChain(JSON.parse(JSON.stringify(sent)))).toEqual(sent);
      }),
    );
  });
});

describe('B19: chains are safe', () => {
  test('B19: at most eight hops are sent, the outermost', () => {
    let error = new A2AError('INTERNAL_ERROR', 'no');
    for (let n = 20; n > 0; n -= 1) error = wrapDownstreamError(error, hop(`agent ${n}`, `agent ${n + 1}`));
    expect(error.chain.map(({ currentAgent }) => currentAgent)).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((n) => `agent ${n}`));
  });

  test('B19: at most 16 KiB are sent, for any texts', () => {
    const long = '\u0000'.repeat(100_000);
    const huge = Array.from({ length: 50 }, () =>
      link({ currentAgent: long, downstreamAgent: long, downstreamError: { code: 1, reason: long, message: long } }),
    );
    const { details, chain } = new A2AError('INTERNAL_ERROR', 'no', { chain: huge });
    expect(chain).toHaveLength(50);
    expect(bytesOf(details[1])).toBeLessThan(17_000);
    const bounded = boundChain(huge);
    expect(bytesOf(nestChain(bounded))).toBeLessThanOrEqual(16_384);
    expect(bounded.length).toBeGreaterThan(0);
    expect(boundChain(bounded), 'a bounded chain stays unchanged').toEqual(bounded);
  });

  test.each([
    ['http://user:pass@host:80/path?key=secret#frag', 'http://host:80/path'],
    ['https://token@host', 'https://host'],
    ['https://a:b@c@host/x', 'https://host/x'],
    ['see https://u:p@h/a?b and ws://x:y@z?q=1 there', 'see https://h/a and ws://z there'],
    ['Weather?', 'Weather?'],
    ['mail me@here.org', 'mail me@here.org'],
  ])('B19: %s is named %s', (name, safe) => {
    const error = wrapDownstreamError(new A2AError('INTERNAL_ERROR', `asked ${name}`), hop(name, name));
    expect(error.message).toBe(`Downstream agent '${safe}' failed`);
    expect(error.chain).toMatchObject([{ currentAgent: safe, downstreamAgent: safe, downstreamError: { message: `asked ${safe}` } }]);
  });

  test('B19: a password whose @ was cut off is not sent either', () => {
    const text = `http://h/?${'q'.repeat(1900)} then http://u:${'hunter2'.repeat(100)}@h/`;
    const [cut] = boundChain([link({ downstreamError: { code: 1, reason: 'R', message: text } })]);
    expect(cut?.downstreamError.message).toBe('http://h/ then http://');
  });

  test('B19: an unpaired surrogate is never sent', () => {
    const [cut] = boundChain([link({ currentAgent: `${'a'.repeat(199)}😀` })]);
    expect(cut?.currentAgent).toBe(`${'a'.repeat(199)}\uFFFD`);
  });

  const cyclic = { ...link(), downstreamError: { code: 1, reason: 'R', message: 'm', data: {} } };
  cyclic.downstreamError.data = cyclic;

  test('B19: a circular chain is cut', () => {
    expect(readChain(cyclic)).toHaveLength(8);
    const error = new A2AError('INTERNAL_ERROR', 'no', { chain: Array.from({ length: 3 }, () => cyclic) });
    expect(() => JSON.stringify(error.details)).not.toThrow();
    const itself: { cause?: unknown } = new Error('no');
    itself.cause = itself;
    expect(wrapDownstreamError(itself, hop('A', 'B')).chain).toHaveLength(1);
  });

  test.each([
    ['nothing', undefined],
    ['a text', 'x'],
    ['no names', { downstreamError: {} }],
    ['an invalid name', { ...link(), currentAgent: 7 }],
    ['an invalid error', { ...link(), downstreamError: 'no' }],
  ])('B19: %s is not a chain', (_, value) => {
    expect(readChain(value)).toEqual([]);
    expect(readChain([link(), value, link()]), 'the hops before it are').toEqual([link()]);
  });

  test('B19: wrong types inside a hop are replaced by safe values', () => {
    const value = { ...hop('A', 'B'), downstreamError: { code: 'x', reason: 1, message: {} }, retryable: 'true', retryAfter: -5 };
    expect(readChain(value)).toEqual([link({ downstreamError: { code: 0, reason: 'UNKNOWN', message: '' } })]);
  });

  test('B19: no value makes reading throw', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => readChain(value).length <= 8 && readChain({ ...link(), downstreamError: value }).length <= 8),
    );
  });

  test('B19: an error of another copy that lacks all members is passed on too', () => {
    const foreign = Object.defineProperty(new Error('no'), Symbol.for('parley.a2a.error'), { value: true });
    const error = wrapDownstreamError(foreign, hop('A', 'B'));
    expect(error).toMatchObject({ retryable: false, chain: [{ downstreamError: { code: 0, reason: 'UNKNOWN', message: 'no' } }] });
  });
});
