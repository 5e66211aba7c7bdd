import { describe, expect, test } from 'vitest';
import { A2AError } from './errors.js';
import { checkVersion, PROTOCOL_VERSION, parseVersion } from './version.js';

describe('P51: only Major.Minor of the version counts', () => {
  test.each([
    [undefined, '0.3'],
    ['', '0.3'],
    ['  ', '0.3'],
    ['0.3', '0.3'],
    ['1.0', '1.0'],
    [' 1.0 ', '1.0'],
    ['1.0.7', '1.0'],
    ['1.1', '1.1'],
    ['1.10', '1.10'],
    ['1', undefined],
    ['v1', undefined],
    ['abc', undefined],
    ['01.0', undefined],
    ['1.0-beta', undefined],
    ['1.0.0.0', undefined],
    ['1.0, 0.3', undefined],
    ['-1.0', undefined],
  ])('P51: %j is %j', (text, version) => {
    expect(parseVersion(text)).toBe(version);
  });

  test.each(['1.0', '1.0.7'])('P51: %s is accepted by a 1.0 interface', (header) => {
    expect(checkVersion(header, [PROTOCOL_VERSION])).toBe('1.0');
  });

  test.each([undefined, '', '0.3', '1.1', '2.0', 'junk', 'x'.repeat(10_000)])('P51: %j is refused by a 1.0 interface', (header) => {
    const error = thrownBy(() => checkVersion(header, [PROTOCOL_VERSION]));
    expect(error).toMatchObject({ reason: 'VERSION_NOT_SUPPORTED', code: -32009, metadata: { supportedVersions: '1.0' } });
    expect(error.message.length).toBeLessThan(200);
  });

  test('D25: the error for a missing header contains the line to add', () => {
    expect(thrownBy(() => checkVersion(undefined, ['1.0'])).message).toContain('"A2A-Version: 1.0"');
    expect(thrownBy(() => checkVersion('', ['1.0'])).message).toContain('"A2A-Version: 1.0"');
  });

  test('P51: a missing version is accepted if 0.3 is served', () => {
    expect(checkVersion(undefined, ['0.3', '1.0'])).toBe('0.3');
    expect(thrownBy(() => checkVersion('9.9', ['0.3', '1.0'])).metadata).toEqual({ supportedVersions: '0.3,1.0' });
  });
});

function thrownBy(action: () => unknown): A2AError {
  try {
    action();
  } catch (thrown) {
    if (thrown instanceof A2AError) return thrown;
  }
  throw new Error('expected an A2AError');
}
