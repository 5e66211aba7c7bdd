import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyStrictMessage, damage, dice } from '../../test/arbitraries.js';
import { findAllFaults } from './all-violations.js';
import { A2AError } from './errors.js';
import { findViolations, parseAs } from './parse.js';
import type { MessageTypes } from './types.js';

function refusalOf(type: keyof MessageTypes, value: unknown): A2AError {
  try {
    parseAs(type, value, findAllFaults);
  } catch (thrown) {
    if (thrown instanceof A2AError) return thrown;
    throw thrown;
  }
  return expect.fail('was accepted');
}

const lines = ({ violations }: A2AError) => violations.map(({ field, description }) => `${field} ${description}`);

describe('F14: all violations of a value', () => {
  test('F14: each violation is named with its path, in the error and in its message', () => {
    const error = refusalOf('SendMessageRequest', {
      tenant: 7,
      message: {
        messageId: '',
        parts: [{ text: 'fine' }, {}, { text: 1, url: 'https://x.test' }, { raw: '?' }, null, 'x'],
        referenceTaskIds: ['a', 'x'.repeat(257), 4],
        metadata: [],
      },
      configuration: { historyLength: -1, returnImmediately: 'yes', taskPushNotificationConfig: { id: 1 } },
    });
    expect(lines(error).sort()).toEqual(
      [
        'configuration.historyLength must be at least 0',
        'configuration.returnImmediately must be true or false',
        'configuration.taskPushNotificationConfig.id must be a string',
        'configuration.taskPushNotificationConfig.url is required',
        'message.messageId must not be empty',
        'message.metadata must be an object',
        'message.parts[1] must have exactly one of text, raw, url, data',
        'message.parts[2] must have exactly one of text, raw, url, data',
        'message.parts[2].text must be a string',
        'message.parts[3].raw must be base64',
        'message.parts[4] must be an object',
        'message.parts[5] must be an object',
        'message.referenceTaskIds[1] must have at most 256 characters',
        'message.referenceTaskIds[2] must be a string',
        'message.role is required',
        'tenant must be a string',
      ].sort(),
    );
    for (const line of lines(error)) expect(error.message).toContain(line);
    expect(error.message).not.toContain('more');
  });

  test('F14: twenty are named, and the others are counted', () => {
    const error = refusalOf('ListTasksRequest', { pageSize: 0 });
    expect(lines(error)).toEqual(['pageSize must be at least 1']);
    const parts = (count: number) => ({ message: { messageId: 'm', role: 'ROLE_USER', parts: Array.from({ length: count }, () => ({})) } });
    const exact = refusalOf('SendMessageRequest', parts(20));
    expect([exact.violations.length, /more/.test(exact.message)]).toEqual([20, false]);
    const over = refusalOf('SendMessageRequest', parts(21));
    expect([over.violations.length, over.message.endsWith('; and 1 more')]).toEqual([20, true]);
  });

  test('F14: a list of a million violations costs no more than one of a hundred, and neither does its reply', () => {
    const extensions = Array.from({ length: 1_000_000 }, (_, n) => n);
    const parts = Array.from({ length: 1_000_000 }, () => ({}));
    const normal = { message: { messageId: 'm', role: 'ROLE_USER', parts, extensions } };
    const times = [1, 2, 3].map(() => {
      const started = performance.now();
      findAllFaults('SendMessageRequest', normal, []);
      return performance.now() - started;
    });
    expect(Math.min(...times)).toBeLessThan(100);
    const { violations, rest } = findAllFaults('SendMessageRequest', normal, []);
    expect([violations.length, rest]).toEqual([20, 'and at least 80 more']);
    expect(violations[0]).toEqual({ field: 'message.parts', description: 'must have at most 100 elements' });
  });

  test('F14: names of Object.prototype are ordinary members', () => {
    const value = JSON.parse('{"message":{"__proto__":{},"constructor":1,"toString":2,"messageId":"m","role":"ROLE_USER","parts":[{}]}}');
    expect(lines(refusalOf('SendMessageRequest', value))).toEqual(['message.parts[0] must have exactly one of text, raw, url, data']);
  });

  test('F14: it finds a violation exactly when the compiled validator does, including the one that the validator reports', () => {
    fc.assert(
      fc.property(anyStrictMessage, fc.nat({ max: 4 }), ({ type, value, numbers }, times) => {
        const pick = dice(numbers);
        let given = value;
        for (let n = 0; n < times; n++) given = damage(given, pick) as typeof value;
        const first = findViolations(type, given);
        const { violations, rest } = findAllFaults(type, given, []);
        expect(violations.length > 0).toBe(first.length > 0);
        if (rest === undefined) for (const one of first) expect(violations).toContainEqual(one);
      }),
      { numRuns: 300 },
    );
  }, 20_000);
});
