import { expect, test } from 'vitest';
import { originOf } from './origin.js';

test.each([
  ['https://agent.test/a2a?key=s3cret', 'https://agent.test'],
  ['http://user:s3cret@agent.test:4000/', 'http://agent.test:4000'],
  ['agent.test:50051', 'https://agent.test:50051'],
  ['other.test:50051', 'https://other.test:50051'],
  ['data:text/plain,s3cret', 'an address that is no URL'],
  ['', 'an address that is no URL'],
])('the origin of %s is %s: of an address without a scheme, too, and never with what may be secret', (url, origin) => {
  expect(originOf(url)).toBe(origin);
});
