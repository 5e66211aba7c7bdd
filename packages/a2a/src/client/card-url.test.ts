import { expect, test } from 'vitest';
import { cardUrlOf } from './card-url.js';

test.each([
  ['http://a.test', undefined, 'http://a.test/.well-known/agent-card.json'],
  ['http://a.test/', undefined, 'http://a.test/.well-known/agent-card.json'],
  ['http://a.test/agents/one/', undefined, 'http://a.test/agents/one/.well-known/agent-card.json'],
  ['http://a.test/one?key=1#top', undefined, 'http://a.test/one/.well-known/agent-card.json?key=1'],
  ['http://a.test/cards/one.json', undefined, 'http://a.test/cards/one.json'],
  ['http://a.test/one', '/card', 'http://a.test/one/card'],
  ['http://a.test/one', 'card', 'http://a.test/one/card'],
  ['http://a.test/one', 'https://cards.test/one', 'https://cards.test/one'],
])('the card of %s with path %s is at %s', (url, cardPath, expected) => {
  expect(cardUrlOf(url, cardPath)).toBe(expected);
});
