import { expect, test } from 'vitest';

test('the tests run on the requested version of Node', () => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const wanted = process.env.PARLEY_TEST_NODE;
  if (wanted) expect(String(major)).toBe(wanted);
  expect(major * 1000 + minor).toBeGreaterThanOrEqual(20_019);
});
