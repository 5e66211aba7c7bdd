import { expect, test } from 'vitest';
import type { Artifact } from '../../protocol/types.js';
import { EventText } from './event-text.js';

const CHUNKS: readonly Artifact[] = [
  { artifactId: 'a', parts: [{ text: 'Hello' }] },
  { artifactId: 'a', name: undefined, parts: [{ text: '"\\\n\u2028\ud800' }] },
  { artifactId: '"b"', parts: [{ text: '' }] },
  { artifactId: 'a', name: '', parts: [{ text: 'named' }] },
  { artifactId: 'a', description: 'described', parts: [{ text: 'x' }] },
  { artifactId: 'a', metadata: {}, parts: [{ text: 'x' }] },
  { artifactId: 'a', extensions: [], parts: [{ text: 'x' }] },
  { artifactId: 'a', parts: [{ text: 'x', metadata: { n: 1 } }] },
  { artifactId: 'a', parts: [{ text: 'x', mediaType: 'text/plain' }] },
  { artifactId: 'a', parts: [{ text: 'x', mediaType: undefined }] },
  { artifactId: 'a', parts: [{ data: { n: 1 } }] },
  { artifactId: 'a', parts: [{ text: 'x' }, { text: 'y' }] },
  { artifactId: 'a', parts: [] },
];

test('a chunk has the same JSON as its artifact, whichever members it has', () => {
  const text = new EventText('task', 'context', 'node');
  for (const artifact of CHUNKS) {
    const { artifactUpdate } = JSON.parse(text.ofArtifact({ taskId: 'task', contextId: 'context', artifact }));
    expect(artifactUpdate.artifact).toEqual(JSON.parse(JSON.stringify(artifact)));
  }
});
