/** Lets the user attach any file. It is sent as bytes with its name and type. */
import type { AttachmentAdapter, CompleteAttachment, PendingAttachment } from '@assistant-ui/react';

/** Base64 adds a third to the size. By default, agents refuse parts of more than 5 MiB of JSON (`maxPartBytes`). */
const MAX_BYTES = 3_900_000;

export const attachFiles: AttachmentAdapter = {
  accept: '*',
  async add({ file }): Promise<PendingAttachment> {
    if (file.size > MAX_BYTES) throw new Error(`${file.name} is larger than 3.9 MB. Attach a smaller file.`);
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

function readDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error(`Cannot read ${file.name}.`));
    reader.readAsDataURL(file);
  });
}
