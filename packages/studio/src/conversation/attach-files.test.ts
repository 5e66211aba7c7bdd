import { describe, expect, test } from 'vitest';
import type { AgentCard } from '../ui/types.js';
import { attachFiles, maxFileBytes } from './attach-files.js';

const cardWith = (params?: { readonly maxBodyBytes: number }): AgentCard => ({
  name: 'Echo',
  description: 'Echoes.',
  version: '1',
  supportedInterfaces: [],
  capabilities: { extensions: params === undefined ? [] : [{ uri: 'urn:parley:a2a:log:v1', params }] },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
});

/** A file of this size, without its bytes. */
const fileOf = (size: number): File => Object.defineProperty(new File([], 'scan.png', { type: 'image/png' }), 'size', { value: size });

describe('D58: attachments', () => {
  test('D58: a file of the size that the card allows is attached, one byte more is refused with both sizes', async () => {
    const card = cardWith({ maxBodyBytes: 12 * 1024 * 1024 });
    const { add } = attachFiles(() => card);
    const max = maxFileBytes(card);
    expect(await add({ file: fileOf(max) })).toMatchObject({ name: 'scan.png', type: 'image' });
    await expect(add({ file: fileOf(max + 1) })).rejects.toThrow('scan.png has 9.4 MB, and the agent accepts files up to 9.4 MB');
    expect((max * 4) / 3 + 16 * 1024, 'in base64').toBeLessThanOrEqual(12 * 1024 * 1024);
  });

  test('D58: an agent that states no limit gets every file', async () => {
    for (const card of [undefined, cardWith()]) {
      expect(await attachFiles(() => card).add({ file: fileOf(1e9) })).toMatchObject({ name: 'scan.png' });
    }
  });
});
