import { expect, test } from 'vitest';
import { A2AError } from '../../protocol/errors.js';
import { readEvent } from './plain-events.js';
import { fromPlainError } from './status.js';

const at = '2026-01-01T00:00:00.000Z';
const message = { id: 'a', parentId: null, siblings: [], createdAt: at, role: 'ROLE_USER', parts: [], delivery: 'sent' };

test.each([
  { kind: 'status', at, messageId: 'a' },
  { kind: 'status', at, messageId: 'a', status: null },
  { kind: 'status', at, messageId: 'a', status: { type: 'done' } },
  { kind: 'status', at, messageId: 'a', status: { type: 'requires-action', want: 'money', prompt: '' } },
  { kind: 'status', messageId: 'a', status: { type: 'running' } },
  { kind: 'delivery', at, messageId: 'a', delivery: 'lost' },
  { kind: 'put', at, message, show: true, sends: 'this' },
  { kind: 'toString', at },
])('an invalid event is refused before it changes anything: %j', (event) => {
  expect(() => readEvent(event)).toThrow(A2AError);
});

test('an invalid configuration is dropped, and the message is accepted', () => {
  const configuration = { historyLength: 3 };
  expect(readEvent({ kind: 'put', at, message, show: true, configuration })).toMatchObject({ message: { id: 'a' }, configuration });
  expect(readEvent({ kind: 'put', at, message, show: true, configuration: { historyLength: -1 } })).not.toHaveProperty('configuration');
});

test('an error with an unknown reason becomes INTERNAL_ERROR', () => {
  const plain = { name: 'A2AError', message: 'Oh', reason: 'toString', retryable: false };
  expect(fromPlainError(plain as unknown as Parameters<typeof fromPlainError>[0])).toMatchObject({ reason: 'INTERNAL_ERROR' }); // an untrusted stored value
});
