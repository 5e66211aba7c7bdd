// The parts that the cases send, in the model of 0.3. Data of 0.3 is an object; both official SDKs of 1.0 put other values under `value` and
// mark the part.

const MARK = { metadata: { data_part_compat: true } };

/**
 * What the agent of the SDK sends.
 * @type {import('a2a-sdk-03').Part[]}
 */
export const ARTIFACT_PARTS = [
  { kind: 'file', file: { bytes: 'AAECAwT/', name: 'bytes.bin', mimeType: 'application/octet-stream' } },
  { kind: 'file', file: { uri: 'https://example.com/planets.png', name: 'planets.png', mimeType: 'image/png' } },
  { kind: 'data', data: { planet: 'Mars', moons: ['Phobos', 'Deimos'], rings: null } },
  { kind: 'data', data: { value: [1, 'two', { three: 3 }] }, ...MARK },
  { kind: 'data', data: { value: 42 }, ...MARK },
];

/**
 * The same parts in the model of 1.0.
 * @type {readonly import('@parley/a2a').Part[]}
 */
export const PARTS = [
  { raw: 'AAECAwT/', filename: 'bytes.bin', mediaType: 'application/octet-stream' },
  { url: 'https://example.com/planets.png', filename: 'planets.png', mediaType: 'image/png' },
  { data: { planet: 'Mars', moons: ['Phobos', 'Deimos'], rings: null } },
  { data: [1, 'two', { three: 3 }] },
  { data: 42 },
];

/**
 * The parts after the SDK has converted them for HTTP+JSON: it drops the names of files, and metadata with the mark.
 * @type {readonly import('@parley/a2a').Part[]}
 */
export const PARTS_OVER_REST = PARTS.map(({ filename, data, ...part }) => {
  if (data === undefined) return part;
  return { data: typeof data === 'object' && !Array.isArray(data) ? data : { value: data } };
});
