import { ComposerPrimitive } from '@assistant-ui/react';
import { MessageFrame } from './message-frame.js';
import { useUserMessage } from './use-message.js';

/** Edits a message of the user. The old version stays on its own branch. */
export function EditComposer() {
  const message = useUserMessage();
  return (
    <MessageFrame who="You" at={message?.createdAt ?? ''}>
      <ComposerPrimitive.Root className="rounded-sm border border-edge bg-bg focus-within:border-accent">
        <ComposerPrimitive.Input
          aria-label="Edit message"
          autoFocus
          maxRows={12}
          dir="auto"
          className="block w-full resize-none px-3 py-1 outline-none"
        />
        <div className="flex gap-2 p-2">
          <ComposerPrimitive.Send className="filled">Send</ComposerPrimitive.Send>
          <ComposerPrimitive.Cancel className="boxed">Cancel</ComposerPrimitive.Cancel>
        </div>
      </ComposerPrimitive.Root>
    </MessageFrame>
  );
}
