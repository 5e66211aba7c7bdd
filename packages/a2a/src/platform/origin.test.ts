import { expect, test } from 'vitest';
import { originOf } from './origin.js';

test.each([
  ['https://agent.test/a2a?key=s3cret', 'https://agent.test'],
  ['http://user:s3cret@agent.test:4000/', 'http://agent.test:4000'],
  ['agent.test:50051', 'https://agent.test:50051'],
  ['other.test:50051', 'https://other.test:50051'],
  ['data:text/plain,s3cret', 'an invalid URL'],
  ['', 'an invalid URL'],
])('the origin of %s is %s, also without a scheme, and never contains path or query', (url, origin) => {
  expect(originOf(url)).toBe(origin);
});
