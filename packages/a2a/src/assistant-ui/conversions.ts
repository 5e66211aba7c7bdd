/** Converts between A2A parts and assistant-ui content. Pure functions that never throw on parts of an agent. */
import type { MessageStatus, ThreadAssistantMessage } from '@assistant-ui/react';
import { fromDataUrl, hasScheme, runsWhenOpened } from './data-url.js';
import type { A2AMessage, A2APart, A2ATaskState } from './types.js';

type Content = ThreadAssistantMessage['content'];

/** Content that can become parts; other types are left out. */
interface ContentPart {
  readonly type: string;
  readonly text?: string | undefined;
  readonly image?: string | undefined;
  readonly data?: unknown;
  readonly mimeType?: string | undefined;
  readonly filename?: string | undefined;
  readonly sourceType?: 'url' | 'id' | undefined;
  readonly audio?: { readonly data: string; readonly format: string } | undefined;
}

const UNKNOWN_TYPE = 'application/octet-stream';

const STATUSES: Readonly<Record<A2ATaskState, MessageStatus>> = {
  unspecified: { type: 'running' },
  submitted: { type: 'running' },
  working: { type: 'running' },
  completed: { type: 'complete', reason: 'stop' },
  failed: { type: 'incomplete', reason: 'error' },
  canceled: { type: 'incomplete', reason: 'cancelled' },
  input_required: { type: 'requires-action', reason: 'interrupt' },
  rejected: { type: 'incomplete', reason: 'error' },
  auth_required: { type: 'requires-action', reason: 'interrupt' },
};

/** The message status for a task state. An unknown state counts as running. */
export function taskStateToMessageStatus(state: A2ATaskState): MessageStatus {
  return Object.hasOwn(STATUSES, state) ? STATUSES[state] : STATUSES.unspecified;
}

/** Whether the state is final: the task cannot change any more. */
export function isTerminalTaskState(state: A2ATaskState): boolean {
  return state === 'completed' || state === 'failed' || state === 'canceled' || state === 'rejected';
}

/** Whether the task waits for its caller. */
export function isInterruptedTaskState(state: A2ATaskState): boolean {
  return state === 'input_required' || state === 'auth_required';
}

/** The content to display for a message. */
export function a2aMessageToContent(message: Pick<A2AMessage, 'parts'>): Content {
  return a2aPartsToContent(message.parts);
}

/** The content to display for parts, one content part each. */
export function a2aPartsToContent(parts: readonly A2APart[]): Content {
  return parts.map(a2aPartToContent);
}

/**
 * Converts a part: text to text, images to an image, other files to a file, data to formatted JSON. A URL that would run a script when it
 * is opened becomes text.
 */
export function a2aPartToContent(part: A2APart): Content[number] {
  const { text, url, raw, data } = part ?? {};
  if (typeof text === 'string') return { type: 'text', text };
  if (typeof url === 'string') return runsWhenOpened(url) ? { type: 'text', text: url } : linked(url, part);
  if (typeof raw === 'string') return embedded(raw, part);
  return { type: 'text', text: data === undefined ? '' : toJson(data) };
}

function linked(url: string, { mediaType, filename }: A2APart): Content[number] {
  const name = named(filename);
  if (isImage(mediaType)) return { type: 'image', image: url, ...name };
  return { type: 'file', data: url, mimeType: mediaType || UNKNOWN_TYPE, sourceType: 'url', ...name };
}

function embedded(raw: string, { mediaType, filename }: A2APart): Content[number] {
  const name = named(filename);
  if (isImage(mediaType)) return { type: 'image', image: `data:${mediaType};base64,${raw}`, ...name };
  return { type: 'file', data: raw, mimeType: mediaType || UNKNOWN_TYPE, ...name };
}

function isImage(mediaType: string | undefined): boolean {
  return mediaType !== undefined && /^image\//i.test(mediaType);
}

function named(filename: string | undefined): { filename?: string } {
  return filename === undefined ? {} : { filename };
}

/** Data of an agent is JSON; data that a caller passes may be anything. */
function toJson(data: unknown): string {
  try {
    return JSON.stringify(data, null, 2) ?? '';
  } catch {
    return '';
  }
}

/** The parts to send for content. `fallbackMimeType` is used for images and files without a type. */
export function contentPartsToA2AParts(content: readonly ContentPart[], fallbackMimeType?: string): A2APart[] {
  return content.flatMap((part) => toPart(part, fallbackMimeType) ?? []);
}

/** The parts to send for a user message, including its attachments. */
export function userContentToA2AParts(message: {
  readonly content: readonly ContentPart[];
  readonly attachments?: readonly { readonly contentType?: string | undefined; readonly content?: readonly ContentPart[] }[] | undefined;
}): A2APart[] {
  const attached = (message.attachments ?? []).flatMap(({ content = [], contentType }) => contentPartsToA2AParts(content, contentType));
  return [...contentPartsToA2AParts(message.content), ...attached];
}

function toPart(part: ContentPart, fallback: string | undefined): A2APart | undefined {
  switch (part.type) {
    case 'text':
      return { text: part.text ?? '' };
    case 'image':
      return part.image ? toImage(part.image, part, fallback) : undefined;
    case 'file':
      return typeof part.data === 'string' && part.data !== '' ? toFile(part.data, part, fallback) : undefined;
    case 'audio':
      return part.audio && toAudio(part.audio);
    case 'data':
      return part.data === undefined ? undefined : { data: part.data };
    default:
      return undefined;
  }
}

function toImage(image: string, { filename }: ContentPart, fallback: string | undefined): A2APart {
  const bytes = fromDataUrl(image);
  if (bytes !== undefined) return { ...bytes, ...named(filename) };
  return { url: image, ...typed(fallback), ...named(filename) };
}

function toFile(data: string, { mimeType, filename, sourceType }: ContentPart, fallback: string | undefined): A2APart {
  const bytes = fromDataUrl(data);
  if (bytes !== undefined) return { ...bytes, ...named(filename) };
  const rest = { ...typed(mimeType ?? fallback), ...named(filename) };
  return sourceType === 'url' || hasScheme(data) ? { url: data, ...rest } : { raw: data, ...rest };
}

function toAudio({ data, format }: { readonly data: string; readonly format: string }): A2APart {
  return { raw: fromDataUrl(data)?.raw ?? data, mediaType: `audio/${format}` };
}

function typed(mediaType: string | undefined): { mediaType?: string } {
  return mediaType === undefined ? {} : { mediaType };
}
