/** Lets the user attach any file. It is sent as bytes with its name and type. */
import type { AttachmentAdapter, CompleteAttachment, PendingAttachment } from '@assistant-ui/react';
import { LOG_EXTENSION_URI } from '@parley/a2a/protocol';
import { formatBytes } from '../ui/format.js';
import type { AgentCard } from '../ui/types.js';

/** The rest of the message: the text of the user, names and ids. */
const MESSAGE_BYTES = 16 * 1024;

/** `card`: the card of the agent, which states the largest request that the agent accepts. */
export function attachFiles(card: () => AgentCard | undefined): AttachmentAdapter {
  return {
    accept: '*',
    async add({ file }): Promise<PendingAttachment> {
      checkSize(file, maxFileBytes(card()));
      return {
        id: crypto.randomUUID(),
        type: file.type.startsWith('image/') ? 'image' : 'file',
        name: file.name,
        contentType: file.type,
        file,
        status: { type: 'requires-action', reason: 'composer-send' },
      };
    },
    async send(attachment): Promise<CompleteAttachment> {
      const data = await readDataUrl(attachment.file);
      const { name: filename, file } = attachment;
      const content = { type: 'file' as const, data, mimeType: file.type || 'application/octet-stream', filename };
      return { ...attachment, status: { type: 'complete' }, content: [content] };
    },
    async remove() {},
  };
}

/** Base64 adds a third to the size. An agent that states no limit decides itself. */
export function maxFileBytes(card: AgentCard | undefined): number {
  const log = card?.capabilities.extensions?.find(({ uri }) => uri === LOG_EXTENSION_URI);
  const max = log?.params?.maxBodyBytes;
  return typeof max === 'number' ? Math.floor(((max - MESSAGE_BYTES) * 3) / 4) : Number.POSITIVE_INFINITY;
}

function checkSize({ name, size }: File, maxBytes: number): void {
  if (size <= maxBytes) return;
  const limit = formatBytes(Math.max(0, maxBytes));
  throw new Error(`${name} has ${formatBytes(size)}, and the agent accepts files up to ${limit}. Attach a smaller file.`);
}

function readDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error(`Cannot read ${file.name}.`));
    reader.readAsDataURL(file);
  });
}
