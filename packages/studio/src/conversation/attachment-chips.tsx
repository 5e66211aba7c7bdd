import { AttachmentPrimitive, ComposerPrimitive, useAuiState } from '@assistant-ui/react';
import { visibleName } from '../content/visible-text.js';
import { formatBytes } from '../ui/format.js';
import { Icon } from '../ui/icons.js';

/** The files attached to the message. */
export function AttachmentChips() {
  return (
    <div className="flex flex-wrap gap-1 px-1 empty:hidden [&:not(:empty)]:pt-1">
      <ComposerPrimitive.Attachments>{() => <Chip />}</ComposerPrimitive.Attachments>
    </div>
  );
}

function Chip() {
  const name = useAuiState(({ attachment }) => visibleName(attachment.name, 60));
  const size = useAuiState(({ attachment }) => attachment.file?.size);
  return (
    <AttachmentPrimitive.Root className="inline-flex h-6 max-w-full items-center gap-2 rounded-xs bg-raised pl-2 text-xs">
      <bdi className="truncate">{name}</bdi>
      {size !== undefined && <span className="label">{formatBytes(size)}</span>}
      <AttachmentPrimitive.Remove className="quiet px-1" aria-label={`Remove ${name}`}>
        <Icon name="close" />
      </AttachmentPrimitive.Remove>
    </AttachmentPrimitive.Root>
  );
}
