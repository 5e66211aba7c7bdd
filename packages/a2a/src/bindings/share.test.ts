import { describe, expect, test } from 'vitest';
import type { WireRequest } from '../wire/http.js';
import { KnownShares, shareOf } from './share.js';

const from = (address: string | undefined, forwarded?: string): WireRequest => ({
  method: 'POST',
  path: '/',
  query: '',
  origin: 'http://localhost',
  header: (name) => (name === 'x-forwarded-for' ? forwarded : undefined),
  body: async () => '',
  host: {},
  ...(address !== undefined && { address }),
});
const anonymous = { id: '' };
const quiet = { trustProxy: undefined, onUntrustedProxy: () => {}, known: new KnownShares() };

describe('D58: the share that a request counts against', () => {
  test('a named caller counts as itself, from any address', () => {
    expect(shareOf(from('192.0.2.1'), { id: 'ann' }, quiet)).toEqual(shareOf(from('192.0.2.2', '1.1.1.1'), { id: 'ann' }, quiet));
  });

  test('an anonymous caller counts by its address, and never as a named caller', () => {
    const one = shareOf(from('192.0.2.1'), anonymous, quiet);
    expect(one).toEqual({ key: 'address 192.0.2.1', factor: 1 });
    expect(shareOf(from('192.0.2.2'), anonymous, quiet)).not.toEqual(one);
    expect(shareOf(from('192.0.2.1'), { id: 'address 192.0.2.1' }, quiet).key).not.toBe(one.key);
    expect(shareOf(from('::ffff:192.0.2.1'), anonymous, quiet)).toEqual(one);
  });

  test.each([
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:ffff::1', true],
    ['2001:db8:1:2::1', '2001:0db8:0001:0002::9', true],
    ['2001:db8::1', '2001:db8:0:1::1', false],
    ['::1', '::2', true],
    ['fe80::1%eth0', 'fe80::2%eth0', true],
  ])('addresses of one IPv6 network count together: %s and %s: %s', (one, other, same) => {
    expect(shareOf(from(one), anonymous, quiet).key === shareOf(from(other), anonymous, quiet).key).toBe(same);
  });

  test('behind a trusted proxy the address that the proxy saw counts, not what the client claims', () => {
    const trusting = { ...quiet, trustProxy: true };
    expect(shareOf(from('10.0.0.1', '6.6.6.6, 192.0.2.7'), anonymous, trusting)).toEqual({ key: 'address 192.0.2.7', factor: 1 });
  });

  test.each([
    ['192.0.2.7:4711', 'address 192.0.2.7'],
    ['[2001:db8:1:2::9]:4711', 'address 2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]', 'address 2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', 'address 2001:db8:1:2::/64'],
  ])('the port that a proxy adds does not make another caller: %s', (forwarded, key) => {
    expect(shareOf(from('10.0.0.1', forwarded), anonymous, { ...quiet, trustProxy: true }).key).toBe(key);
  });

  test('behind a trusted proxy the header counts also where the host does not know the address of the proxy', () => {
    expect(shareOf(from(undefined, '192.0.2.7'), anonymous, { ...quiet, trustProxy: true }).key).toBe('address 192.0.2.7');
    expect(shareOf(from(undefined, '192.0.2.7'), anonymous, quiet).factor).toBe(Number.POSITIVE_INFINITY);
  });

  test('behind a proxy without trustProxy the address has ten shares, and the host is told', () => {
    let told = 0;
    const options = { ...quiet, onUntrustedProxy: () => void told++ };
    expect(shareOf(from('10.0.0.1', '192.0.2.7'), anonymous, options)).toEqual({ key: 'address 10.0.0.1', factor: 10 });
    expect(told).toBe(1);
  });

  test('with trustProxy: false the header is ignored', () => {
    expect(shareOf(from('10.0.0.1', '192.0.2.7'), anonymous, { ...quiet, trustProxy: false })).toEqual({
      key: 'address 10.0.0.1',
      factor: 1,
    });
  });

  test('without an address only the totals apply', () => {
    expect(shareOf(from(undefined), anonymous, quiet).factor).toBe(Number.POSITIVE_INFINITY);
  });
});
