/** Lists the parts of an answer that can be previewed or downloaded: files, data, and text artifacts. */

import { visibleName } from '../content/visible-text.js';
import type { AgentMessage, Artifact, Part } from '../ui/types.js';

export interface FileEntry {
  readonly key: string;
  /** For display and for the download. */
  readonly name: string;
  readonly mediaType: string;
  /** The parts of this file, in order. */
  readonly parts: readonly Part[];
}

export function filesOf({ artifacts, said }: Pick<AgentMessage, 'artifacts' | 'said'>): readonly FileEntry[] {
  const spoken = said.flatMap(({ messageId, parts }) =>
    entriesOf({ id: messageId, name: 'attachment', parts: parts.filter((part) => part.text === undefined) }),
  );
  return [...artifacts.flatMap(filesOfArtifact), ...spoken];
}

const known = new WeakMap<Artifact, readonly FileEntry[]>();

function filesOfArtifact(artifact: Artifact): readonly FileEntry[] {
  const entries =
    known.get(artifact) ?? entriesOf({ id: artifact.artifactId, name: artifact.name ?? artifact.artifactId, parts: artifact.parts });
  known.set(artifact, entries);
  return entries;
}

/** The files attached to a message. */
export function filesOfParts(id: string, parts: readonly Part[]): readonly FileEntry[] {
  return entriesOf({ id, name: 'attachment', parts });
}

function entriesOf({ id, name, parts }: { readonly id: string; readonly name: string; readonly parts: readonly Part[] }): FileEntry[] {
  const groups: Part[][] = [];
  for (const part of parts) {
    const group = groups.at(-1);
    if (group?.[0] && belongTogether(group[0], part)) group.push(part);
    else groups.push([part]);
  }
  return groups.map((group, index) => ({
    key: `${id}/${index}`,
    name: nameOf({ part: group[0], name, index, count: groups.length }),
    mediaType: mediaTypeOf(group[0]),
    parts: group,
  }));
}

/** Text chunks of one artifact, or parts of the same file: the agent sends a large file in several parts. */
function belongTogether(first: Part, next: Part): boolean {
  if (first.text !== undefined && next.text !== undefined) return first.filename === next.filename && first.mediaType === next.mediaType;
  if (first.raw === undefined || next.raw === undefined) return false;
  return first.filename !== undefined && first.filename === next.filename && first.mediaType === next.mediaType;
}

function nameOf({ part, name, index, count }: { part: Part | undefined; name: string; index: number; count: number }): string {
  const own = part?.filename ?? (part?.url === undefined ? undefined : lastOfPath(part.url));
  return visibleName(own || (count > 1 ? `${name} ${index + 1}` : name), 120) || 'unnamed';
}

function lastOfPath(url: string): string | undefined {
  const [path = ''] = url.slice(0, 2_000).split(/[?#]/, 1);
  return path.slice(path.lastIndexOf('/') + 1) || undefined;
}

function mediaTypeOf(part: Part | undefined): string {
  if (part?.mediaType) return part.mediaType.toLowerCase().split(';')[0]?.trim() ?? '';
  if (part?.text !== undefined) return 'text/plain';
  if (part?.data !== undefined) return 'application/json';
  return 'application/octet-stream';
}

/** Approximate size in bytes, computed without decoding; undefined for a file that is only a URL. */
export function sizeOf({ parts }: FileEntry): number | undefined {
  let bytes = 0;
  for (const { text, raw, data, url } of parts) {
    if (url !== undefined) return undefined;
    if (text !== undefined) bytes += text.length;
    if (raw !== undefined) bytes += Math.floor((raw.length * 3) / 4) - (raw.endsWith('==') ? 2 : raw.endsWith('=') ? 1 : 0);
    if (data !== undefined) bytes += sizeOfJson(data);
  }
  return bytes;
}

/** Approximate size of a value as JSON, without serializing it. */
export function sizeOfJson(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return String(value).length;
  let size = 2;
  const isList = Array.isArray(value);
  for (const [key, member] of Object.entries(value)) size += sizeOfJson(member) + (isList ? 1 : key.length + 4);
  return size;
}
