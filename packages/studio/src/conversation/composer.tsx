import { ComposerPrimitive } from '@assistant-ui/react';
import { useConversationState } from '@parley/a2a/react';
import { visibleName } from '../content/visible-text.js';
import { useAgentName } from '../state/use-agent-name.js';
import { Icon } from '../ui/icons.js';
import { AttachmentChips } from './attachment-chips.js';
import { useGuardedSend } from './use-guarded-send.js';

/** Shortcuts find the message field by this id. */
export const COMPOSER_ID = 'composer';

export function Composer() {
  const isRunning = useConversationState((state) => state.isRunning);
  const want = useConversationState(({ question }) => question?.want);
  const name = useAgentName();
  const { guard, notice } = useGuardedSend();
  const placeholder =
    want === undefined ? `Message ${visibleName(name, 32)}` : want === 'auth' ? 'Reply, or use the buttons above' : 'Reply';
  return (
    <ComposerPrimitive.Root className="column pb-4" onSubmit={guard}>
      {notice && (
        <p role="alert" className="mb-2 text-sm">
          {notice}
        </p>
      )}
      <div className="rounded-sm border border-edge bg-bg focus-within:border-accent focus-within:outline focus-within:outline-accent">
        <AttachmentChips />
        <ComposerPrimitive.Input
          id={COMPOSER_ID}
          aria-label="Message"
          placeholder={placeholder}
          autoFocus
          minRows={1}
          maxRows={10}
          dir="auto"
          className="block w-full resize-none px-3 py-2 outline-none placeholder:text-muted"
        />
        <div className="flex h-10 items-center gap-1 pr-1 pb-1 pl-1">
          <ComposerPrimitive.AddAttachment className="quiet h-8" aria-label="Attach files" multiple>
            <Icon name="clip" />
          </ComposerPrimitive.AddAttachment>
          <span className="label hidden flex-1 truncate sm:block">Enter: send · Shift+Enter: new line</span>
          <span className="flex-1 sm:hidden" />
          {isRunning ? (
            <ComposerPrimitive.Cancel className="boxed">
              <Icon name="stop" /> Stop
            </ComposerPrimitive.Cancel>
          ) : (
            <ComposerPrimitive.Send className="filled" onClick={guard}>
              <Icon name="send" /> Send
            </ComposerPrimitive.Send>
          )}
        </div>
      </div>
    </ComposerPrimitive.Root>
  );
}
