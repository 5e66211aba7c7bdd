/** A minimal PNG encoder: eight bits per channel, no transparency, no filters. */
import { crc32, deflateSync } from 'node:zlib';

export type Pixel = readonly [red: number, green: number, blue: number];

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const TRUE_COLOUR = 2;

export function encodePng({ width, height }: { width: number; height: number }, pixelAt: (x: number, y: number) => Pixel): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, TRUE_COLOUR, 0, 0, 0], 8);
  const rows = Array.from({ length: height }, (_, y) => [0, ...Array.from({ length: width }, (_, x) => pixelAt(x, y)).flat()]);
  const pixels = deflateSync(Uint8Array.from(rows.flat()));
  return Buffer.concat([Uint8Array.from(SIGNATURE), chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, body: Uint8Array): Uint8Array {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const frame = Buffer.alloc(named.length + 8);
  frame.writeUInt32BE(body.length, 0);
  frame.set(named, 4);
  frame.writeUInt32BE(crc32(named), named.length + 4);
  return frame;
}
